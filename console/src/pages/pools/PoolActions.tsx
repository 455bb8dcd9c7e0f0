import Box from "@cloudscape-design/components/box";
import FormField from "@cloudscape-design/components/form-field";
import Select from "@cloudscape-design/components/select";
import { useState } from "react";

import { present, readAll, type Schemas, useAct, useApi, useKept, useKeptText, useMay } from "../../kit";
import { ActionModal, ReasonField } from "../shared/ActionModal";
import { ActionRow } from "../shared/ActionRow";
import { command, request, shellWord } from "../shared/quoting";

type Pool = Schemas["Pool"];
type Asked = "pause" | "resume";

const HOUR = 3_600_000;
const LENGTHS = [
  { value: "", label: "Until it is resumed", ms: null },
  { value: "1h", label: "1 hour", ms: HOUR },
  { value: "4h", label: "4 hours", ms: 4 * HOUR },
  { value: "12h", label: "12 hours", ms: 12 * HOUR },
  { value: "1d", label: "1 day", ms: 24 * HOUR },
  { value: "3d", label: "3 days", ms: 72 * HOUR },
] as const;

/** Buttons that pause a pool, or resume it; one that a role forbids says why. */
export function PoolActions({ pool, onChange }: { pool: Pool; onChange: () => void }) {
  const [asked, setAsked] = useKept<Asked | null>(`act on ${pool.pool}`, null);
  const why = useMay("operate").why;
  const close = (): void => {
    setAsked(null);
    onChange();
  };
  const kind = pool.pause === null ? "pause" : "resume";
  const text = kind === "pause" ? "Pause" : "Resume";
  return (
    <>
      <ActionRow actions={[{ text, why, onClick: () => { setAsked(kind); } }]} />
      {asked === "pause" && <PausePool pool={pool.pool} onDismiss={close} />}
      {asked === "resume" && <ResumePool pool={pool.pool} onDismiss={close} />}
    </>
  );
}

interface Props {
  pool: string;
  onDismiss: () => void;
}

function PausePool({ pool, onDismiss }: Props) {
  const api = useApi();
  const [reason, setReason] = useKeptText(`pause ${pool}`, "");
  const [length, setLength] = useState<(typeof LENGTHS)[number]>(LENGTHS[0]);
  const terms = (): { reason: string | null; until: string | null } => ({
    reason: reason.trim() === "" ? null : reason.trim(),
    // A duration counts from the click.
    until: length.ms === null ? null : new Date(present() + length.ms).toISOString(),
  });
  const pause = useAct(
    () => readAll(api.POST("/v1/pools/{pool}/pause", { params: { path: { pool } }, body: terms() })),
    onDismiss,
  );
  const said = {
    ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
    ...(length.ms === null ? {} : { until: "…" }),
  };
  return (
    <ActionModal
      title={`Pause the pool ${pool}?`}
      verb="Pause the pool"
      isRunning={pause.isRunning}
      problem={pause.problem}
      onConfirm={pause.act}
      onDismiss={onDismiss}
      cli={command(`pools pause ${shellWord(pool)}`, [
        ["--for", length.ms === null ? undefined : length.value],
        ["--reason", reason.trim() === "" ? undefined : reason.trim()],
      ])}
      api={`${request("POST", `/v1/pools/${encodeURIComponent(pool)}/pause`)}${Object.keys(said).length === 0 ? "" : `\n\n${JSON.stringify(said, null, 2)}`}`}
    >
      <Box variant="p">
        No worker is handed a run of it. Runs that workers hold go on, and what is due waits in its
        order; runs that must begin within a time may end meanwhile.
      </Box>
      <FormField label="Lasts">
        <Select
          options={[...LENGTHS]}
          selectedOption={length}
          onChange={({ detail }) => {
            setLength(LENGTHS.find(({ value }) => value === detail.selectedOption.value) ?? LENGTHS[0]);
          }}
        />
      </FormField>
      <ReasonField reason={reason} onChange={setReason} />
    </ActionModal>
  );
}

function ResumePool({ pool, onDismiss }: Props) {
  const api = useApi();
  const resume = useAct(
    () => readAll(api.POST("/v1/pools/{pool}/resume", { params: { path: { pool } } })),
    onDismiss,
  );
  return (
    <ActionModal
      title={`Resume the pool ${pool}?`}
      verb="Resume the pool"
      isRunning={resume.isRunning}
      problem={resume.problem}
      onConfirm={resume.act}
      onDismiss={onDismiss}
      cli={command(`pools resume ${shellWord(pool)}`)}
      api={request("POST", `/v1/pools/${encodeURIComponent(pool)}/resume`)}
    >
      <Box variant="p">
        Its workers get what waits, the most urgent first, then the first due.
      </Box>
    </ActionModal>
  );
}
