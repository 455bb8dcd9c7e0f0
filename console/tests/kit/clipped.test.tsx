import { fireEvent, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { clipped } from "../../src/kit";
import { NewJobPage } from "../../src/pages/job_form/NewJobPage";
import { NoteField, ReasonField } from "../../src/pages/shared/ActionModal";
import { example, fullJob } from "../pages/job_form/samples";
import { show } from "../support/page";

const JOB_ID = "bwjvcytzr72gxmnvxjbslykqdc";

it.each([
  ["short", 5, "short"],
  ["shorter", 5, "short"],
  ["ab😀", 3, "ab😀"],
  ["ab😀c", 3, "ab😀"],
  ["a😀😀", 2, "a😀"],
])("of %j, %i characters are %j", (text, most, kept) => {
  expect(clipped(text, most)).toBe(kept);
});

it.each([
  ["Reason", ReasonField, 200],
  ["Note", NoteField, 500],
])("a %s holds as many emoji as the API takes", (label, Field, most) => {
  const onChange = vi.fn();
  show(<Field note="" reason="" onChange={onChange} />, {});
  fireEvent.change(screen.getByLabelText(label), { target: { value: "😀".repeat(most + 1) } });

  expect(onChange).toHaveBeenCalledExactlyOnceWith("😀".repeat(most));
});

it("cuts no character of a copied name in two", async () => {
  const answers = {
    [`GET /v1/jobs/${JOB_ID}`]: { ...fullJob(), name: `${"a".repeat(190)}😀😀😀` },
    "POST /v1/jobs/validate": { valid: true, errors: [], advice: [], definition: {} },
    "POST /v1/schedules/preview": example("post", "/v1/schedules/preview"),
  };
  show(<NewJobPage />, answers, { path: `/jobs/new?from=${JOB_ID}` });

  expect(await screen.findByDisplayValue(`Copy of ${"a".repeat(190)}😀😀`)).toBeTruthy();
});
