import schemas from "../../api/contracts/newJob.json";
import { contractOf } from "../form/contract";

/** The contract of a new job. */
export const NEW_JOB = contractOf("NewJob", schemas);
