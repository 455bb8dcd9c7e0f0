import { type ComponentType, lazy } from "react";

/** One page of the console: its route, its chunk, and its place in the navigation. */
export interface PageEntry {
  /** Path of the route; parts after a colon are parameters. */
  path: string;
  title: string;
  /** Heading in the navigation; a page without one is reached from others. */
  section?: "Work" | "Operate" | "Stage";
  Page: ComponentType;
}

/** Every page, in the order of the navigation; routes, side bar and command palette follow. */
export const PAGES: readonly PageEntry[] = [
  {
    path: "/",
    title: "Overview",
    section: "Work",
    Page: lazy(async () => ({ default: (await import("../pages/overview/OverviewPage")).OverviewPage })),
  },
  {
    path: "/jobs",
    title: "Jobs",
    section: "Work",
    Page: lazy(async () => ({ default: (await import("../pages/jobs/JobsPage")).JobsPage })),
  },
  {
    path: "/jobs/:jobId",
    title: "Job",
    Page: lazy(async () => ({ default: (await import("../pages/jobs/JobPage")).JobPage })),
  },
  {
    path: "/why",
    title: "Why did it not run?",
    section: "Work",
    Page: lazy(async () => ({ default: (await import("../pages/ledger/WhyPage")).WhyPage })),
  },
];

/** Pages that the navigation lists. */
export const LISTED = PAGES.filter((page) => page.section !== undefined);
