import type { ComponentType } from "react";

import type { Node } from "../contract";
import type { Path } from "../draft";

export interface FieldProps {
  name: string;
  node: Node;
  path: Path;
  isRequired: boolean;
  /** Shown instead of the name. */
  label?: string;
}

/** Shows one field of the contract: fields that hold others are given it. */
export type Field = ComponentType<FieldProps>;

export interface NestingProps extends FieldProps {
  Field: Field;
}
