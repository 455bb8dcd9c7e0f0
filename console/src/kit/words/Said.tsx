import type { ReactNode } from "react";

import "./said.css";

/**
 * Shows a text that a tenant, a target or another caller wrote. It has its own direction, and no character of it turns
 * round what stands beside it: neither an override, nor a sign that ends an isolation which the text did not begin.
 */
export function Said({ children }: { children: ReactNode }) {
  return <bdi className="said">{children}</bdi>;
}
