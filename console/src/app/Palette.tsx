import Autosuggest from "@cloudscape-design/components/autosuggest";
import Modal from "@cloudscape-design/components/modal";
import { useEffect, useState } from "react";

import { useGo } from "../kit";
import { LISTED } from "./pages";

interface Props {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

const RUN_ID = /^[a-z2-7]{26}\.[a-z]\d{8}T/;
const JOB_ID = /^[a-z2-7]{26}$/;

/** Opens a page, a job or a run by what is typed; Ctrl+K shows it from anywhere. */
export function Palette({ isOpen, onOpenChange }: Props) {
  const [text, setText] = useState("");
  const go = useGo();
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key === "k") {
        event.preventDefault();
        onOpenChange(true);
      }
    };
    addEventListener("keydown", open);
    return () => {
      removeEventListener("keydown", open);
    };
  }, [onOpenChange]);
  const follow = (value: string): void => {
    const place = placeOf(value.trim());
    if (place === null) return;
    setText("");
    onOpenChange(false);
    go(place);
  };
  return (
    <Modal
      visible={isOpen}
      header="Go to"
      closeAriaLabel="Close"
      onDismiss={() => {
        onOpenChange(false);
      }}
    >
      <Autosuggest
        value={text}
        ariaLabel="Page, job id, run id or job name"
        placeholder="Page, job id, run id or job name"
        enteredTextLabel={(value) => `Find "${value}"`}
        empty="Type the id of a job or run, or a job's name."
        options={LISTED.map(({ path, title }) => ({ value: path, label: title }))}
        onChange={({ detail }) => {
          setText(detail.value);
        }}
        onSelect={({ detail }) => {
          follow(detail.value);
        }}
      />
    </Modal>
  );
}

/** Returns the path that a text names: of a page, a run, a job, or of jobs by name. */
export function placeOf(text: string): string | null {
  if (text === "") return null;
  if (text.startsWith("/")) return text;
  if (RUN_ID.test(text)) return `/runs/${text}`;
  if (JOB_ID.test(text)) return `/jobs/${text}`;
  return `/jobs?name=${encodeURIComponent(text)}*`;
}
