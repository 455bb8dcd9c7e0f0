import type { PropertyFilterProps } from "@cloudscape-design/components/property-filter";

/** Words of the token filter. */
export const filterWords: PropertyFilterProps.I18nStrings = {
  dismissAriaLabel: "Dismiss",
  groupValuesText: "Values",
  groupPropertiesText: "Filter by",
  operatorsText: "Operators",
  operationAndText: "and",
  operationOrText: "or",
  operatorEqualsText: "equals",
  operatorText: "Operator",
  editTokenHeader: "Edit the filter",
  propertyText: "Field",
  valueText: "Value",
  cancelActionText: "Cancel",
  applyActionText: "Apply",
  clearFiltersText: "Clear filters",
  removeTokenButtonAriaLabel: (token) => `Remove ${token.propertyLabel} ${token.value}`,
  enteredTextLabel: (text) => `Use: ${text}`,
  tokenLimitShowMore: "Show more",
  tokenLimitShowFewer: "Show fewer",
};
