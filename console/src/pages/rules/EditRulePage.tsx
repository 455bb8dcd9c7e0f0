import Box from "@cloudscape-design/components/box";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";

import { readAll, type Schemas, useAct, useApi, useGo, useRouteParam } from "../../kit";
import type { Draft } from "../form/draft";
import { EditFrame } from "../form/EditFrame";
import { NamedForm, useNamedDraft } from "../form/NamedForm";
import { FIRST_RULE, RULE, RULE_GROUPS, ruleBodyOf } from "./ruleContract";

/** Creates a notification rule, or edits the one that the address names. */
export default function EditRulePage() {
  const api = useApi();
  const name = useRouteParam("rule");
  return (
    <EditFrame
      list={{ text: "Notification rules", href: "/rules" }}
      what="rule"
      name={name}
      read={() => readAll(api.GET("/v1/notification-rules/{rule}", { params: { path: { rule: name } } }))}
      form={(rule, again) =>
        rule === null ? (
          <Edit known={null} version={null} onAgain={again} first={FIRST_RULE} />
        ) : (
          <Edit onAgain={again} known={rule.name} version={rule.version} first={ruleBodyOf(rule)} />
        )
      }
    />
  );
}

interface EditProps {
  known: string | null;
  /** The version that was read: a change made meanwhile is not overwritten. */
  version: number | null;
  first: Draft;
  onAgain: () => void;
}

function Edit({ known, version, first, onAgain }: EditProps) {
  const api = useApi();
  const go = useGo();
  const edited = useNamedDraft(known, version, first);
  const put = useAct(
    () => {
      const header = version === null ? { "If-None-Match": "*" } : { "If-Match": `"${version}"` };
      const params = { path: { rule: edited.name }, header };
      const body = edited.draft as unknown as Schemas["RuleBody"];
      return readAll(api.PUT("/v1/notification-rules/{rule}", { params, body }));
    },
    (rule) => {
      go(`/rules/${rule.name}`);
    },
  );
  return (
    <NamedForm
      // Fields show what is written in them: those of another version are others.
      key={version}
      onAgain={() => {
        put.forget();
        onAgain();
      }}
      kind="NotificationRule"
      contract={RULE}
      groups={RULE_GROUPS}
      edited={edited}
      verb={known === null ? "Create the rule" : "Save the rule"}
      isRunning={put.isRunning}
      problem={put.problem}
      onConfirm={put.act}
      onBack={() => {
        go(known === null ? "/rules" : `/rules/${known}`);
      }}
      path="/v1/notification-rules"
      cli="rules put"
      help={
        <Container header={<Header variant="h2">What a rule tells</Header>}>
          <Box variant="p">
            Each streak once: a job began to fail, or stopped succeeding. Channels are web hooks, SNS topics (and so
            mail and SMS), Slack and Teams by a secret that has their address, and EventBridge buses. In quiet hours
            messages are held back; one tells of them all when the hours end.
          </Box>
        </Container>
      }
    />
  );
}
