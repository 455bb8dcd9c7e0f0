import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import FileUpload from "@cloudscape-design/components/file-upload";
import FormField from "@cloudscape-design/components/form-field";
import Input from "@cloudscape-design/components/input";
import { useRef, useState } from "react";

import { readAll, type Schemas, useAct, useApi, useKept, useKeptText, useMay, useOpened } from "../../kit";
import { ActionModal } from "../shared/ActionModal";
import { command, request, shellWord } from "../shared/quoting";

type Calendar = Schemas["Calendar"];

/** The API takes an iCal file of at most so many bytes. */
const MOST_BYTES = 512 * 1024;

interface Props {
  calendar: Calendar;
  onDone: () => void;
}

/** The button that fills a calendar from an iCal file, and the question behind it. */
export function ImportCalendar({ calendar, onDone }: Props) {
  const [isOpen, setIsOpen] = useKept("import", false);
  const may = useMay("write");
  return (
    <>
      <Button
        disabled={!may.allowed}
        disabledReason={may.why ?? ""}
        iconName="upload"
        onClick={() => {
          setIsOpen(true);
        }}
      >
        Import iCal
      </Button>
      {isOpen && (
        <ImportModal
          calendar={calendar}
          onDone={onDone}
          onDismiss={() => {
            setIsOpen(false);
          }}
        />
      )}
    </>
  );
}

/** Holds the file that a person chose. A sign-in keeps no file, so its text is kept as well: the same file is there again. */
function useChosenFile(): [File | null, (file: File | null) => void] {
  const [kept, setKept] = useKept<{ name: string; ical: string } | null>("import file", null);
  const [file, setFile] = useState(() => (kept === null ? null : new File([kept.ical], kept.name)));
  const chosen = useRef(file);
  const choose = (next: File | null): void => {
    chosen.current = next;
    setFile(next);
    setKept(null);
    if (next === null || next.size > MOST_BYTES) return;
    void next.text().then(
      (ical) => {
        if (chosen.current === next) setKept({ name: next.name, ical });
      },
      // One that cannot be read is refused once it is imported.
      () => undefined,
    );
  };
  return [file, choose];
}

function ImportModal({ calendar: given, onDone, onDismiss }: Props & { onDismiss: () => void }) {
  const api = useApi();
  const calendar = useOpened(given);
  const [file, setFile] = useChosenFile();
  const [days, setDays] = useKeptText("import days", "732");
  const horizon = /^\d+$/.test(days) ? Number(days) : 0;
  const path = { calendar: calendar.name };
  const query = { timezone: calendar.timezone, horizon_days: horizon };
  const imported = useAct(async () => {
    const ical = await (file ?? new File([], "none")).text();
    return readAll(
      api.POST("/v1/calendars/{calendar}/import", {
        // Another caller's change is not overwritten.
        params: { path, query, header: { "If-Match": `"${calendar.version}"` } },
        body: { ical },
      }),
    );
  }, onDone);
  const isTooLarge = file !== null && file.size > MOST_BYTES;
  const isFarOff = horizon < 1 || horizon > 1_830;
  return (
    <ActionModal
      title={`Fill ${calendar.name} from an iCal file`}
      verb="Import"
      size="large"
      isRunning={imported.isRunning}
      isDisabled={file === null || isTooLarge || isFarOff || imported.answer !== undefined}
      problem={imported.problem}
      onConfirm={imported.act}
      onDismiss={onDismiss}
      cli={command(`calendars import ${calendar.name} ${shellWord(file?.name ?? "FILE")}`, [
        ["--timezone", calendar.timezone],
        ["--horizon", days],
        ["--if-version", String(calendar.version)],
      ])}
      api={`${request("POST", `/v1/calendars/${calendar.name}/import`, { timezone: calendar.timezone, horizon_days: days })}\nIf-Match: "${calendar.version}"`}
    >
      <Box variant="p">
        Its entries become those of the file: the {calendar.entries} that it has now are replaced.
      </Box>
      <FormField
        label="File"
        constraintText="At most 512 KB"
        errorText={isTooLarge ? "The file is larger than 512 KB." : null}
      >
        <FileUpload
          value={file === null ? [] : [file]}
          accept=".ics,text/calendar"
          onChange={({ detail }) => {
            setFile(detail.value[0] ?? null);
          }}
          showFileSize
          i18nStrings={{
            uploadButtonText: () => "Choose a file",
            dropzoneText: () => "Drop the file here",
            removeFileAriaLabel: () => "Remove the file",
            limitShowFewer: "Show fewer",
            limitShowMore: "Show more",
            errorIconAriaLabel: "Error",
          }}
        />
      </FormField>
      <FormField
        label="Days ahead"
        description="Repeated events are written out so far."
        errorText={isFarOff ? "Write 1 to 1830." : null}
      >
        <Input
          value={days}
          inputMode="numeric"
          onChange={({ detail }) => {
            setDays(detail.value);
          }}
        />
      </FormField>
      {imported.answer !== undefined && (
        <Alert type="success">
          {imported.answer.occurrences} occurrences of {imported.answer.events} events became its{" "}
          {imported.answer.calendar.entries} entries.
        </Alert>
      )}
    </ActionModal>
  );
}
