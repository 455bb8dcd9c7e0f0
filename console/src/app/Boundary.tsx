import Alert from "@cloudscape-design/components/alert";
import Button from "@cloudscape-design/components/button";
import { Component, type ReactNode } from "react";

import { Said } from "../kit";

interface Props {
  children: ReactNode;
}

interface State {
  error: Error | null;
}

/**
 * Says that a page cannot be shown, where React would take the whole console away. Code of a page is gone once the
 * console is deployed anew, and a later API may answer what this page does not know: loading it again brings both.
 */
export class Boundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <Alert
        type="error"
        header="This page cannot be shown"
        action={
          <Button
            onClick={() => {
              location.reload();
            }}
          >
            Load it again
          </Button>
        }
      >
        The console may have been deployed anew since this window was opened. Other pages can be opened meanwhile. What
        the browser says: <Said>{error.message}</Said>
      </Alert>
    );
  }
}
