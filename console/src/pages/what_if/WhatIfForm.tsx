import Button from "@cloudscape-design/components/button";
import ColumnLayout from "@cloudscape-design/components/column-layout";
import Container from "@cloudscape-design/components/container";
import FormField from "@cloudscape-design/components/form-field";
import Header from "@cloudscape-design/components/header";
import Input from "@cloudscape-design/components/input";
import Select from "@cloudscape-design/components/select";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { lazy, Suspense } from "react";

import { present, type Schemas, Skeleton, useKept, useSearch } from "../../kit";
import { firstQuestion, problemsOf, type Question, readSchedule, searchOf } from "./scenario";

const EditedSchedule = lazy(() => import("./EditedSchedule"));

type Job = Schemas["Job"];

interface Props {
  job: Job;
  asked: Question | null;
}

interface PartProps {
  question: Question;
  problems: Partial<Record<keyof Question, string>>;
  onChange: (changes: Partial<Question>) => void;
}

/** Describes what goes wrong or is changed; the question is asked when it is sent. */
export function WhatIfForm({ job, asked }: Props) {
  const [, setSearch] = useSearch();
  const [question, setQuestion] = useKept("what if", () => asked ?? firstQuestion(present(), job.schedule));
  const problems = problemsOf(question);
  const parts = {
    question,
    problems,
    onChange: (changes: Partial<Question>) => {
      setQuestion((was) => ({ ...was, ...changes }));
    },
  };
  return (
    <Container
      header={
        <Header variant="h2" description="Nothing is stored, and nothing runs: the rules of planner and executors are applied to it.">
          What if
        </Header>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (Object.keys(problems).length === 0) setSearch(searchOf(question));
        }}
      >
        <SpaceBetween size="l">
          <ColumnLayout columns={2}>
            <InstantField {...parts} field="from" label="Show instants from" />
            <InstantField {...parts} field="to" label="Up to" />
          </ColumnLayout>
          <Outage {...parts} />
          <Edit {...parts} />
          <Button variant="primary" formAction="submit" disabled={Object.keys(problems).length > 0}>
            Simulate
          </Button>
        </SpaceBetween>
      </form>
    </Container>
  );
}

function InstantField({ question, problems, onChange, field, label }: PartProps & { field: keyof Question; label: string }) {
  return (
    <FormField label={label} errorText={problems[field]}>
      <Input
        value={question[field]}
        onChange={({ detail }) => {
          onChange({ [field]: detail.value.trim() });
        }}
      />
    </FormField>
  );
}

const OUTAGES = [
  { value: "", label: "Nothing is away" },
  { value: "planner", label: "The planner: no run is stored" },
  { value: "executor", label: "The executors: no run begins" },
  { value: "both", label: "Both" },
];

function Outage(props: PartProps) {
  const { question, onChange } = props;
  return (
    <SpaceBetween size="m">
      <FormField label="Outage">
        <Select
          options={OUTAGES}
          selectedOption={OUTAGES.find(({ value }) => value === question.outage) ?? null}
          onChange={({ detail }) => {
            onChange({ outage: detail.selectedOption.value as Question["outage"] });
          }}
        />
      </FormField>
      {question.outage !== "" && (
        <ColumnLayout columns={2}>
          <InstantField {...props} field="outageFrom" label="It is away from" />
          <InstantField {...props} field="outageTo" label="It is back at" />
        </ColumnLayout>
      )}
    </SpaceBetween>
  );
}

function Edit(props: PartProps) {
  const { question, problems, onChange } = props;
  return (
    <SpaceBetween size="m">
      <FormField
        label="Edit of the schedule"
        description="The instant at which it would be saved. Empty: the job keeps its schedule."
        errorText={problems.editAt}
      >
        <Input
          value={question.editAt}
          placeholder={question.from}
          onChange={({ detail }) => {
            onChange({ editAt: detail.value.trim() });
          }}
        />
      </FormField>
      {question.editAt !== "" && (
        <Suspense fallback={<Skeleton />}>
          <EditedSchedule
            schedule={readSchedule(question.schedule)}
            onChange={(schedule) => {
              onChange({ schedule: JSON.stringify(schedule) });
            }}
          />
        </Suspense>
      )}
    </SpaceBetween>
  );
}
