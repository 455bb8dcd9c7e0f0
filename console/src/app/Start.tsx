import { QueryClientProvider } from "@tanstack/react-query";
import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import { useCallback, useEffect, useState } from "react";
import { createBrowserRouter, RouterProvider } from "react-router";

import { clientOf } from "../api/client";
import { openSession, type Session } from "../auth/session";
import { readSettings, type Settings } from "../auth/settings";
import { type Api, ApiContext, naming, ProblemAlert, readAll, SessionContext, Skeleton, TraceUrlContext, useLive } from "../kit";
import { newQueries } from "../kit/queries";
import { Leaving } from "./Leaving";
import { Shell } from "./Shell";

interface Started {
  settings: Settings;
  session: Session;
  api: Api;
}

const QUERIES = newQueries();
/** A person is read again while the window is looked at: 12 requests an hour. */
const PERIOD_MS = 300_000;

/** Reads the stage's settings, signs in, and shows the console. */
export function Start() {
  const [started, setStarted] = useState<Started | Error | null>(null);
  const begin = useCallback((): void => {
    start().then(setStarted, (error: unknown) => {
      setStarted(error instanceof Error ? error : new Error(String(error)));
    });
  }, []);
  useEffect(() => {
    if (location.pathname !== "/signed-out") begin();
  }, [begin]);
  if (location.pathname === "/signed-out") {
    const goHome = (): void => {
      location.assign("/");
    };
    return <Notice text="You have signed out." onSignIn={goHome} />;
  }
  if (started === null) return <Waiting />;
  if (started instanceof Error) {
    // The address is that of the page which was asked for: the sign-in returns to it.
    const again = (): void => {
      setStarted(null);
      begin();
    };
    return <Notice text={started.message} onSignIn={again} isError />;
  }
  return (
    <QueryClientProvider client={QUERIES}>
      <ApiContext value={started.api}>
        <Known started={started} />
      </ApiContext>
    </QueryClientProvider>
  );
}

async function start(): Promise<Started> {
  const settings = await readSettings();
  const session = await openSession(settings);
  return { settings, session, api: clientOf(settings.api_url, session) };
}

/**
 * Reads who signed in, and shows the console to that person. It is read again when the window is looked at, and after
 * each action: a refusal then takes no page away, with what is typed in it.
 */
function Known({ started }: { started: Started }) {
  const { api, session, settings } = started;
  const [router] = useState(() => routerOf(started));
  const known = useLive({
    key: ["person"],
    read: async () => naming(await readAll(api.GET("/v1/tenant"))),
    everyMs: (person) => (person === undefined ? null : PERIOD_MS),
  });
  if (known.data === undefined) {
    if (known.problem === null) return <Waiting />;
    return (
      <Box padding="xl">
        <ProblemAlert problem={known.problem} />
        <Button onClick={session.signOut}>Sign out</Button>
      </Box>
    );
  }
  const { tenant, caller, scopes, person } = known.data;
  return (
    <SessionContext value={{ tenant, caller, scopes, roles: person?.roles ?? [] }}>
      <TraceUrlContext value={settings.trace_url ?? ""}>
        <RouterProvider router={router} />
      </TraceUrlContext>
    </SessionContext>
  );
}

/** Shows the shell at every address: its pages are routes within it. Only a data router lets a page ask before it is left. */
function routerOf({ session, settings }: Started) {
  const element = (
    <>
      <Shell stage={settings.stage} onSignOut={session.signOut} />
      <Leaving />
    </>
  );
  return createBrowserRouter([{ path: "*", element }]);
}

function Waiting() {
  return (
    <Box padding="xxxl">
      <Skeleton what="who signs in" />
    </Box>
  );
}

function Notice({ text, onSignIn, isError }: { text: string; onSignIn: () => void; isError?: boolean }) {
  return (
    <Box padding="xl">
      <Alert
        type={isError === true ? "error" : "info"}
        action={
          <Button onClick={onSignIn}>Sign in</Button>
        }
      >
        {text}
      </Alert>
    </Box>
  );
}
