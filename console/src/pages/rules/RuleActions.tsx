import Box from "@cloudscape-design/components/box";
import { useState } from "react";

import { readAll, type Schemas, useAct, useApi, useGo, useMay, useOpened } from "../../kit";
import { ActionModal } from "../shared/ActionModal";
import { ActionRow } from "../shared/ActionRow";
import { command, request, withDocument } from "../shared/quoting";
import { ruleBodyOf } from "./ruleContract";

type Rule = Schemas["NotificationRule"];

type Asked = "test" | "turn" | "delete";

/** Offers what can be done with a rule. */
export function RuleActions({ rule, onChange }: { rule: Rule; onChange: () => void }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const go = useGo();
  const write = useMay("write").why;
  const operate = useMay("operate").why;
  const close = (): void => {
    setAsked(null);
  };
  return (
    <>
      <ActionRow
        actions={[
          { text: "Send a test", why: operate, onClick: () => { setAsked("test"); } },
          { text: rule.enabled ? "Turn off" : "Turn on", why: write, onClick: () => { setAsked("turn"); } },
          { text: "Delete", why: write, onClick: () => { setAsked("delete"); } },
          { text: "Edit", why: write, onClick: () => { go(`/rules/${rule.name}/edit`); } },
        ]}
      />
      {asked === "test" && <TestRule rule={rule} onDismiss={close} />}
      {asked === "turn" && (
        <TurnRule
          rule={rule}
          onDismiss={close}
          onDone={() => {
            close();
            onChange();
          }}
        />
      )}
      {asked === "delete" && <DeleteRule rule={rule} onDismiss={close} />}
    </>
  );
}

interface AskedProps {
  rule: Rule;
  onDismiss: () => void;
}

function TestRule({ rule, onDismiss }: AskedProps) {
  const api = useApi();
  const params = { path: { rule: rule.name } };
  const test = useAct(() => readAll(api.POST("/v1/notification-rules/{rule}/test", { params })), onDismiss);
  return (
    <ActionModal
      title="Send a test message?"
      verb="Send it"
      isRunning={test.isRunning}
      problem={test.problem}
      onConfirm={test.act}
      onDismiss={onDismiss}
      cli={command(`rules test ${rule.name}`)}
      api={request("POST", `/v1/notification-rules/${rule.name}/test`)}
    >
      <Box variant="p">
        Each of {rule.channels.length} channels is told that nothing has happened, in quiet hours too. The list below
        shows how far each delivery came.
      </Box>
    </ActionModal>
  );
}

function TurnRule({ rule: given, onDismiss, onDone }: AskedProps & { onDone: () => void }) {
  const api = useApi();
  const rule = useOpened(given);
  const body = { ...ruleBodyOf(rule), enabled: !rule.enabled } as unknown as Schemas["RuleBody"];
  const params = { path: { rule: rule.name }, header: { "If-Match": `"${rule.version}"` } };
  const turn = useAct(() => readAll(api.PUT("/v1/notification-rules/{rule}", { params, body })), onDone);
  const verb = rule.enabled ? "Turn off" : "Turn on";
  return (
    <ActionModal
      title={`${verb} this rule?`}
      verb={`${verb} the rule`}
      isRunning={turn.isRunning}
      problem={turn.problem}
      onConfirm={turn.act}
      onDismiss={onDismiss}
      cli={withDocument(
        command(`rules put ${rule.name}`, [
          ["--file", "-"],
          ["--if-version", String(rule.version)],
        ]),
        body,
      )}
      api={`${request("PUT", `/v1/notification-rules/${rule.name}`)}\n\n${JSON.stringify(body, null, 2)}`}
    >
      <Box variant="p">
        {rule.enabled
          ? "It is kept, and tells of nothing. Runs that end meanwhile are none of its."
          : "It tells of what happens from now on."}
      </Box>
    </ActionModal>
  );
}

function DeleteRule({ rule: given, onDismiss }: AskedProps) {
  const api = useApi();
  const rule = useOpened(given);
  const go = useGo();
  const params = { path: { rule: rule.name }, header: { "If-Match": `"${rule.version}"` } };
  const remove = useAct(
    () => readAll(api.DELETE("/v1/notification-rules/{rule}", { params })),
    () => {
      go("/rules");
    },
    ["rule", rule.name],
  );
  return (
    <ActionModal
      title="Delete this rule?"
      verb="Delete the rule"
      isRunning={remove.isRunning}
      problem={remove.problem}
      onConfirm={remove.act}
      onDismiss={onDismiss}
      cli={command(`rules delete ${rule.name}`, [["--if-version", String(rule.version)]])}
      api={request("DELETE", `/v1/notification-rules/${rule.name}`)}
    >
      <Box variant="p">It tells of nothing any more. Messages that it made are still delivered.</Box>
    </ActionModal>
  );
}
