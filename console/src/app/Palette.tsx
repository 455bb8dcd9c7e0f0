import Autosuggest, { type AutosuggestProps } from "@cloudscape-design/components/autosuggest";
import Box from "@cloudscape-design/components/box";
import Modal from "@cloudscape-design/components/modal";
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";

import { useApi, useGo } from "../kit";
import { type Action, actionsOf } from "./actions";
import { findPlace, isId } from "./findPlace";
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

/** Pages whose address needs no id. */
const PLACES = PAGES.filter(({ path }) => !path.includes(":"));

const UNKNOWN = "No job, DAG, DAG run or operation has this id.";

/**
 * Opens a page, or what an id or a name names, or does what a button of the page does; Ctrl+K shows it. It knows by
 * itself if it is open: no part of the page beneath is rendered anew for it.
 */
export function Palette({ ref, actions }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const { said, isFinding, find, forget } = useFinding();
  const isChosen = useRef(false);
  const field = useRef<AutosuggestProps.Ref>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    // The dialog gives its first button the keyboard's place: what is typed next is meant for the field.
    const frame = requestAnimationFrame(() => field.current?.focus());
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [isOpen]);
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
  const close = (): void => {
    forget();
    setText("");
    setOpen(false);
  };
  const follow = (value: string): void => {
    const action = offered.find(({ label }) => label === value);
    const place = placeOf(value.trim());
    if (action === undefined && isId(value.trim())) {
      find(value.trim(), (found) => {
        close();
        go(found);
      });
    } else if (action !== undefined || place !== null) {
      close();
      if (action !== undefined) action.run();
      else if (place !== null) go(place);
    }
  };
  return (
    <Modal
      visible={isOpen}
      header="Go to"
      closeAriaLabel="Close"
      onDismiss={() => {
        forget();
        setOpen(false);
      }}
    >
      <Autosuggest
        ref={field}
        value={text}
        ariaLabel="Page, action, id or job name"
        placeholder="Page, action, id or job name"
        enteredTextLabel={(value) => `Find "${value}"`}
        empty="Type the id of a job, a run, a DAG or an operation, or a job's name."
        options={[
          { label: "Pages", options: PLACES.map(({ path, title }) => ({ value: path, label: title })) },
          { label: "Actions", options: offered.map(({ label }) => ({ value: label })) },
        ]}
        onChange={({ detail }) => {
          forget();
          setText(detail.value);
        }}
        onSelect={({ detail }) => {
          isChosen.current = true;
          // The key that chose it comes next; one that is pressed later is another.
          queueMicrotask(() => { isChosen.current = false; });
          follow(detail.value);
        }}
        onKeyDown={({ detail }) => {
          if (detail.key === "Enter" && !isChosen.current) follow(text);
        }}
      />
      <div role="status">
        {isFinding && <Box color="text-body-secondary">Looking for the id.</Box>}
        {said !== null && <Box color="text-status-error">{said}</Box>}
      </div>
    </Modal>
  );
}

/** Finds the page of an id, and says where there is none; an answer that is no longer waited for opens nothing. */
function useFinding() {
  const api = useApi();
  const [said, setSaid] = useState<string | null>(null);
  const [isFinding, setFinding] = useState(false);
  const asked = useRef(0);
  const forget = (): void => {
    asked.current += 1;
    setSaid(null);
    setFinding(false);
  };
  const find = (id: string, onFound: (place: string) => void): void => {
    forget();
    setFinding(true);
    const number = asked.current;
    const end = (then: () => void): void => {
      if (asked.current !== number) return;
      setFinding(false);
      then();
    };
    findPlace(api, id).then(
      (place) => { end(() => { if (place === null) setSaid(UNKNOWN); else onFound(place); }); },
      (error: unknown) => { end(() => { setSaid(error instanceof Error ? error.message : String(error)); }); },
    );
  };
  return { said, isFinding, find, forget };
}

/** Returns the path that a text names: of a page, a run, or of jobs by name. */
export function placeOf(text: string): string | null {
  if (text === "") return null;
  if (text.startsWith("/")) return text;
  if (RUN_ID.test(text)) return `/runs/${text}`;
  return `/jobs?name=${encodeURIComponent(text)}*`;
}
