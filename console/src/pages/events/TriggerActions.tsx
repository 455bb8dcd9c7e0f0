import Box from "@cloudscape-design/components/box";
import { useState } from "react";

import { readAll, type Schemas, useAct, useApi, useGo, useMay, useOpened } from "../../kit";
import { ActionModal } from "../shared/ActionModal";
import { ActionRow } from "../shared/ActionRow";
import { command, request } from "../shared/quoting";

type Trigger = Schemas["EventTrigger"];
type Asked = "pause" | "resume" | "delete";

const EFFECTS: Record<Asked, string> = {
  pause: "Events pass it by; what comes meanwhile starts nothing later.",
  resume: "Events that come from now on meet it, within ten seconds.",
  delete: "Events start nothing by it any more, and the address of its web hook is gone for good.",
};

interface Props {
  trigger: Trigger;
  onChange: () => void;
}

/** Buttons of what is done with an event trigger, and the questions behind them. */
export function TriggerActions({ trigger, onChange }: Props) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const go = useGo();
  const write = useMay("write").why;
  const turn = trigger.status === "paused" ? "resume" : "pause";
  return (
    <>
      <ActionRow
        actions={[
          { text: turn === "pause" ? "Pause" : "Resume", why: write, onClick: () => { setAsked(turn); } },
          { text: "Delete", why: write, onClick: () => { setAsked("delete"); } },
          { text: "Edit", why: write, onClick: () => { go(`/event-triggers/${trigger.name}/edit`); } },
        ]}
      />
      {asked !== null && (
        <Change
          kind={asked}
          trigger={trigger}
          onDismiss={() => {
            setAsked(null);
          }}
          onDone={() => {
            setAsked(null);
            if (asked === "delete") go("/event-triggers");
            else onChange();
          }}
        />
      )}
    </>
  );
}

interface ChangeProps {
  kind: Asked;
  trigger: Trigger;
  onDismiss: () => void;
  onDone: () => void;
}

function Change({ kind, trigger: given, onDismiss, onDone }: ChangeProps) {
  const api = useApi();
  const trigger = useOpened(given);
  const path = { event_trigger: trigger.name };
  const change = useAct<unknown>(() => {
    switch (kind) {
      case "pause":
        return readAll(api.POST("/v1/event-triggers/{event_trigger}/pause", { params: { path } }));
      case "resume":
        return readAll(api.POST("/v1/event-triggers/{event_trigger}/resume", { params: { path } }));
      case "delete":
        return readAll(
          api.DELETE("/v1/event-triggers/{event_trigger}", {
            params: { path, header: { "If-Match": `"${trigger.version}"` } },
          }),
        );
    }
  }, onDone, kind === "delete" ? ["event-trigger", trigger.name] : null);
  const verb = `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`;
  const address = `/v1/event-triggers/${trigger.name}`;
  return (
    <ActionModal
      title={`${verb} this trigger?`}
      verb={`${verb} the trigger`}
      isRunning={change.isRunning}
      problem={change.problem}
      onConfirm={change.act}
      onDismiss={onDismiss}
      cli={command(`event-triggers ${kind} ${trigger.name}`, [
        ["--if-version", kind === "delete" ? String(trigger.version) : null],
      ])}
      api={kind === "delete" ? request("DELETE", address) : request("POST", `${address}/${kind}`)}
    >
      <Box variant="p">{EFFECTS[kind]}</Box>
    </ActionModal>
  );
}
