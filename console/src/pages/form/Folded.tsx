import ExpandableSection from "@cloudscape-design/components/expandable-section";
import { type ReactNode, useState } from "react";

import { useKept } from "../../kit";

interface Props {
  /** Names it among those of the page: it is open again after a sign-in. */
  name: string;
  title: string;
  description?: string;
  isContainer?: boolean;
  isOpenAtFirst?: boolean;
  children: ReactNode;
}

/** Folds fields away; they are made when they are first opened, so that typing elsewhere stays quick, and keep what is typed. */
export function Folded({ name, title, description, isContainer, isOpenAtFirst, children }: Props) {
  // A field in it may hold text that no draft has: it is there again after a sign-in.
  const [isOpen, setOpen] = useKept(`unfolded ${name}`, isOpenAtFirst ?? false);
  const [wasOpen, setWasOpen] = useState(isOpen);
  return (
    <ExpandableSection
      variant={isContainer === true ? "container" : "default"}
      headerText={title}
      {...(description === undefined ? {} : { headerDescription: description })}
      expanded={isOpen}
      onChange={({ detail }) => {
        setOpen(detail.expanded);
        setWasOpen(true);
      }}
    >
      {wasOpen && children}
    </ExpandableSection>
  );
}
