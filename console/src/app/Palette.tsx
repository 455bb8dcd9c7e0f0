import Autosuggest from "@cloudscape-design/components/autosuggest";
import Modal from "@cloudscape-design/components/modal";
import { type Ref, useEffect, useImperativeHandle, useMemo, useState } from "react";

import { useGo } from "../kit";
import { type Action, actionsOf } from "./actions";
import { PAGES } from "./pages";

/** Opens the palette from elsewhere. */
export interface PaletteHandle {
  open: () => void;
}

interface Props {
  ref: Ref<PaletteHandle>;
  /** Actions of every page. */
  actions: readonly Action[];
}

const RUN_ID = /^[a-z2-7]{26}\.[a-z]\d{8}T/;
const JOB_ID = /^[a-z2-7]{26}$/;

/** Pages whose address needs no id. */
const PLACES = PAGES.filter(({ path }) => !path.includes(":"));

/**
 * Opens a page, a job or a run by what is typed, or does what a button of the page does; Ctrl+K shows it. It knows by
 * itself if it is open: no part of the page beneath is rendered anew for it.
 */
export function Palette({ ref, actions }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const go = useGo();
  useImperativeHandle(ref, () => ({ open: () => { setOpen(true); } }), []);
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key === "k") {
        event.preventDefault();
        setOpen(true);
      }
    };
    addEventListener("keydown", open);
    return () => {
      removeEventListener("keydown", open);
    };
  }, []);
  const offered = useMemo(() => (isOpen ? [...actionsOf(document), ...actions] : []), [isOpen, actions]);
  const follow = (value: string): void => {
    const action = offered.find(({ label }) => label === value);
    const place = placeOf(value.trim());
    if (action === undefined && place === null) return;
    setText("");
    setOpen(false);
    if (action !== undefined) action.run();
    else if (place !== null) go(place);
  };
  return (
    <Modal
      visible={isOpen}
      header="Go to"
      closeAriaLabel="Close"
      onDismiss={() => {
        setOpen(false);
      }}
    >
      <Autosuggest
        value={text}
        ariaLabel="Page, action, job id, run id or job name"
        placeholder="Page, action, job id, run id or job name"
        enteredTextLabel={(value) => `Find "${value}"`}
        empty="Type the id of a job or run, or a job's name."
        options={[
          { label: "Pages", options: PLACES.map(({ path, title }) => ({ value: path, label: title })) },
          { label: "Actions", options: offered.map(({ label }) => ({ value: label })) },
        ]}
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
