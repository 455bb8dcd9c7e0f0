import RadioGroup from "@cloudscape-design/components/radio-group";

import { useKeptText } from "../../../kit";
import type { Schemas } from "../../../kit";
import { parseJson } from "../../shared/json/parseJson";
import { JsonEditor, PAYLOAD_BYTES } from "../../shared/json/JsonEditor";
import { editableJson } from "../../shared/json/JsonText";
import { shellWord } from "../../shared/quoting";

type Choice = "kept" | "edited";

/** Holds which payload a run is given that is tried or run again. */
export function usePayload(run: Schemas["Run"]) {
  const [choice, setChoice] = useKeptText<Choice>(`payload of ${run.run_id} chosen`, "kept");
  const [text, setText] = useKeptText(`payload of ${run.run_id}`, editableJson(run.payload));
  const parsed = parseJson(text);
  const isEdited = choice === "edited" && parsed.ok;
  return {
    choice,
    setChoice,
    text,
    setText,
    isBad: choice === "edited" && !parsed.ok,
    /** The member of a request; none for the payload that it had. */
    body: isEdited ? { payload: parsed.value } : {},
    /** The option of the same command. */
    option: isEdited ? ` --payload ${shellWord(JSON.stringify(parsed.value))}` : "",
  };
}

/** Asks for a payload: that which the run had, or another one. */
export function PayloadFields({ run, draft }: { run: Schemas["Run"]; draft: ReturnType<typeof usePayload> }) {
  return (
    <>
      <RadioGroup
        ariaLabel="Payload"
        value={draft.choice}
        onChange={({ detail }) => {
          draft.setChoice(detail.value as Choice);
        }}
        items={[
          {
            value: "kept",
            label: "With the payload it had",
            description: run.payload_from === "job" ? "That of its job, as it is now." : "One of its own.",
          },
          { value: "edited", label: "With another payload", description: "For this run alone." },
        ]}
      />
      {draft.choice === "edited" && (
        <JsonEditor label="Payload" mostBytes={PAYLOAD_BYTES} text={draft.text} onChange={draft.setText} refusal={null} />
      )}
    </>
  );
}
