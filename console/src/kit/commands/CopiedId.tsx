import CopyToClipboard from "@cloudscape-design/components/copy-to-clipboard";

/** Shows an id, and copies it. */
export function CopiedId({ id, what }: { id: string; what: string }) {
  return (
    <CopyToClipboard
      variant="inline"
      textToCopy={id}
      copyButtonAriaLabel={`Copy the ${what}`}
      copySuccessText="Copied"
      copyErrorText="The browser did not copy it"
    />
  );
}
