import Alert from "@cloudscape-design/components/alert";

import { Said } from "../../../kit";

interface Props {
  names: readonly string[];
  /** Plural of what is listed: "jobs". */
  what: string;
}

const SHOWN = 10;

/** Says which records a listing leaves out, since they cannot be read; nothing where there are none. */
export function Unreadable({ names, what }: Props) {
  if (names.length === 0) return null;
  const [count, verb] = names.length === 1 ? ["One record", "is"] : [`${names.length.toLocaleString("en")} records`, "are"];
  return (
    <div role="status">
      <Alert type="warning" header={`${count} of these ${what} cannot be read, and ${verb} left out`}>
        <ul>
          {names.slice(0, SHOWN).map((name) => (
            <li key={name}>
              <Said>
                <code>{name}</code>
              </Said>
            </li>
          ))}
        </ul>
        {names.length > SHOWN && <div>and {(names.length - SHOWN).toLocaleString("en")} more.</div>}
        Tell the stage&apos;s operator, who repairs them: reading again does not help.
      </Alert>
    </div>
  );
}
