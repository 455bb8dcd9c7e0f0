import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it, vi } from "vitest";

import { type ApiProblem, unreachable } from "../../../src/kit/problems/problem";
import { ActionModal, NoteField } from "../../../src/pages/shared/ActionModal";
import { show } from "../../support/page";

interface Props {
  onDismiss: () => void;
  isRunning?: boolean;
  problem?: ApiProblem | null;
}

function Dialog({ onDismiss, isRunning = false, problem = null }: Props) {
  const [note, setNote] = useState("first");
  return (
    <ActionModal title="Act?" verb="Act" isRunning={isRunning} problem={problem} onConfirm={onDismiss} onDismiss={onDismiss} cli="timegate" api="GET /">
      <NoteField note={note} onChange={setNote} />
    </ActionModal>
  );
}

function open(isRunning = false) {
  const onDismiss = vi.fn();
  show(<Dialog onDismiss={onDismiss} isRunning={isRunning} />, {});
  return onDismiss;
}

const note = (): HTMLInputElement => screen.getByLabelText("Note");

/** Cloudscape reads the key's code. */
const escape = (): boolean => fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape", keyCode: 27 });

const WAYS: [string, () => unknown][] = [
  ["Escape", escape],
  ["its button", () => userEvent.click(screen.getByText("Back"))],
];

it.each(WAYS)("asks before a dialog loses what is typed by %s, and keeps it", async (_, leave) => {
  const onDismiss = open();
  await userEvent.type(note(), " and more");
  await leave();
  await screen.findByText("Close without sending?");
  await userEvent.click(screen.getByText("Stay"));

  expect(onDismiss).not.toHaveBeenCalled();
  expect(note().value).toBe("first and more");
  expect(screen.queryByText("Close without sending?")).toBeNull();
});

it("closes once the person discards what is typed", async () => {
  const onDismiss = open();
  await userEvent.type(note(), " and more");
  await userEvent.click(screen.getByText("Back"));
  await userEvent.click(await screen.findByText("Discard it"));

  expect(onDismiss).toHaveBeenCalledOnce();
});

it("stays where Escape answers the question", async () => {
  const onDismiss = open();
  await userEvent.type(note(), " and more");
  await userEvent.click(screen.getByText("Back"));
  await screen.findByText("Close without sending?");
  screen.getByText("Stay").focus();
  escape();

  await waitFor(() => {
    expect(screen.queryByText("Close without sending?")).toBeNull();
  });
  expect(onDismiss).not.toHaveBeenCalled();
  expect(note().value).toBe("first and more");
});

it.each(WAYS)("closes by %s without a question where nothing is typed", async (_, leave) => {
  const onDismiss = open();
  note().focus();
  await leave();

  expect(onDismiss).toHaveBeenCalledOnce();
});

it("closes without a question where the text is again as it was", async () => {
  const onDismiss = open();
  await userEvent.type(note(), "!");
  fireEvent.change(note(), { target: { value: "first" } });
  await userEvent.click(screen.getByText("Back"));

  expect(onDismiss).toHaveBeenCalledOnce();
});

it("closes without a question while the action runs: what is typed is sent", async () => {
  const onDismiss = open(true);
  await userEvent.type(note(), "!");
  await userEvent.click(screen.getByText("Back"));

  expect(onDismiss).toHaveBeenCalledOnce();
});

function Acting({ onDismiss, problem }: { onDismiss: () => void; problem: ApiProblem | null }) {
  const [count, setCount] = useState(0);
  return (
    <>
      <button onClick={() => { setCount(count + 1); }}>Next</button>
      <Dialog onDismiss={onDismiss} isRunning={count === 1} problem={count === 2 ? problem : null} />
    </>
  );
}

it.each([
  ["closes without a question after the action is done", null, 1],
  ["asks where the action was refused", unreachable(new Error("away")), 0],
])("%s", async (_, problem, closed) => {
  const onDismiss = vi.fn();
  show(<Acting onDismiss={onDismiss} problem={problem} />, {});
  await userEvent.type(note(), "!");
  fireEvent.click(screen.getByText("Next"));
  fireEvent.click(screen.getByText("Next"));
  fireEvent.click(screen.getByText("Back"));

  expect(onDismiss).toHaveBeenCalledTimes(closed);
});

/** A dialog whose note another choice hides. */
function Choosing({ onDismiss }: { onDismiss: () => void }) {
  const [isShown, setShown] = useState(true);
  const [text, setText] = useState("first");
  return (
    <ActionModal title="Act?" verb="Act" isRunning={false} problem={null} onConfirm={onDismiss} onDismiss={onDismiss} cli="timegate" api="GET /">
      <button onClick={() => { setShown(!isShown); }}>Other choice</button>
      {isShown && <NoteField note={text} onChange={setText} />}
    </ActionModal>
  );
}

it.each([
  ["asks before it loses a text that another choice has hidden", " and more", 0],
  ["closes without a question where nothing was typed before it was hidden", "", 1],
])("%s", async (_, more, closed) => {
  const onDismiss = vi.fn();
  show(<Choosing onDismiss={onDismiss} />, {});
  note().focus();
  if (more !== "") await userEvent.type(note(), more);
  await userEvent.click(screen.getByText("Other choice"));
  await userEvent.click(screen.getByText("Back"));

  expect(onDismiss).toHaveBeenCalledTimes(closed);
  expect(screen.queryByText("Close without sending?") === null).toBe(closed === 1);
});
