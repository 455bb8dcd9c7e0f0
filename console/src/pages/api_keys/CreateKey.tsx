import Button from "@cloudscape-design/components/button";
import { useState } from "react";

import { present, readAll, type Schemas, useAct, useApi, useKept, useKeptText, usePerson, useRepeated, useRequestKey } from "../../kit";
import { ActionModal } from "../shared/ActionModal";
import { KeyFields } from "./KeyFields";
import { ALL_SCOPES, bodyOf, type KeyDraft, type KeyScope, NEW_KEY, problemsOf, sameAs } from "./keyDraft";
import { MadeKey } from "./MadeKey";

interface Props {
  /** Null: the person's own tenant. */
  tenant: string | null;
  /** The reason why the person makes none. */
  why: string | null;
}

type Made = Schemas["MadeApiKey"];

/** The button that makes a key, the question behind it, and the key, which is shown once. */
export function CreateKey({ tenant, why }: Props) {
  const [isOpen, setOpen] = useKept("create a key", false);
  const [made, setMade] = useState<Made | null>(null);
  const close = (): void => {
    setOpen(false);
  };
  return (
    <>
      <Button
        variant="primary"
        disabled={why !== null}
        disabledReason={why ?? ""}
        onClick={() => {
          setOpen(true);
        }}
      >
        Create an API key
      </Button>
      {isOpen && (
        <Question
          tenant={tenant}
          onDismiss={close}
          onLate={setMade}
          onMade={(key) => {
            close();
            setMade(key);
          }}
        />
      )}
      {made !== null && (
        <MadeKey
          made={made}
          onKept={() => {
            setMade(null);
          }}
        />
      )}
    </>
  );
}

interface QuestionProps {
  tenant: string | null;
  onDismiss: () => void;
  onMade: (key: Made) => void;
  /** Takes a key that was made once its question was closed. */
  onLate: (key: Made) => void;
}

function Question({ tenant, onDismiss, onMade, onLate }: QuestionProps) {
  const api = useApi();
  const offered = useOffered(tenant);
  const [draft, setDraft] = useKeptText<KeyDraft>("new key", NEW_KEY);
  // A lifetime counts from the moment at which the person decides on it.
  const [now, setNow] = useRepeated("now of the new key", () => present());
  // A repeated click is the same request, and another draft is another one.
  const [key, setKey] = useRequestKey("new key");
  const header = { "Idempotency-Key": key };
  const problems = problemsOf(draft, now);
  const body = bodyOf(draft, now);
  const create = useAct(
    () =>
      readAll(
        tenant === null
          ? api.POST("/v1/keys", { params: { header }, body })
          : api.POST("/v1/tenants/{tenant}/keys", { params: { path: { tenant }, header }, body }),
      ),
    onMade,
    null,
    onLate,
  );
  return (
    <ActionModal
      title={tenant === null ? "Create an API key" : `Create an API key of ${tenant}`}
      verb="Create the key"
      size="large"
      isRunning={create.isRunning}
      isDisabled={Object.keys(problems).length > 0}
      problem={create.problem}
      onConfirm={create.act}
      onDismiss={onDismiss}
      {...sameAs(body, tenant)}
    >
      <KeyFields
        draft={draft}
        problems={problems}
        offered={offered}
        onChange={(changes) => {
          setNow(present());
          setKey(crypto.randomUUID());
          setDraft((was) => ({ ...was, ...changes }));
        }}
      />
    </ActionModal>
  );
}

/** Scopes are handed on by those who have them; the stage's administration hands on any. */
function useOffered(tenant: string | null): readonly KeyScope[] {
  const { scopes } = usePerson();
  if (tenant !== null) return ALL_SCOPES;
  return ALL_SCOPES.filter((scope) => scopes.some((held) => held.endsWith(`/${scope}`)));
}
