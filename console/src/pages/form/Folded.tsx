import ExpandableSection from "@cloudscape-design/components/expandable-section";
import { type ReactNode, useState } from "react";

interface Props {
  title: string;
  description?: string;
  isContainer?: boolean;
  isOpenAtFirst?: boolean;
  children: ReactNode;
}

/** Folds fields away; they are made when they are first opened, so that typing elsewhere stays quick, and keep what is typed. */
export function Folded({ title, description, isContainer, isOpenAtFirst, children }: Props) {
  const [isOpen, setOpen] = useState(isOpenAtFirst ?? false);
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
