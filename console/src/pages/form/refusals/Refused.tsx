import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";

import { Said } from "../../../kit";

/** A reason for which a field is refused. */
export interface Refusal {
  field: string;
  code: string;
  detail: string;
}

/** Says of a whole form why it is not stored. */
export function Refused({ errors }: { errors: readonly Refusal[] }) {
  return (
    <Alert type="error" header="It cannot be stored so.">
      <ul>
        {errors.map(({ field, detail }, index) => (
          <li key={index}>
            <Said><Box variant="code">{field}</Box></Said> <Said>{detail}</Said>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
