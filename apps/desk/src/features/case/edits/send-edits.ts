import type {
  BillEdit,
  CancellationEdit,
  DatesEdit,
  DocumentEdit,
  FeaturesEdit,
  MilestoneEdit,
  SearchEdit,
  StatusEdit,
  TaskEdit,
} from '@keyturn/contract/staff';
import { callStaff } from '../../../api/desk-api.ts';

/* Each hook returns a function that sends edits of one record. */

export const sendMilestone = (id: string) => (edit: MilestoneEdit) =>
  callStaff('PUT /staff/milestones/{id}', { params: { id }, body: edit });

/** Sends edits of a matter’s key dates. */
export const sendDates = (id: string) => (edit: DatesEdit) =>
  callStaff('PUT /staff/matters/{id}/dates', { params: { id }, body: edit });

/** Sends what makes a matter special. */
export const sendFeatures = (id: string) => (edit: FeaturesEdit) =>
  callStaff('PUT /staff/matters/{id}/features', { params: { id }, body: edit });

/** Sends until when the clients of a case can cancel. */
export const sendCancellation = (id: string) => (edit: CancellationEdit) =>
  callStaff('PUT /staff/cases/{id}/cancellation', { params: { id }, body: edit });

/** Sends the statuses of the matters of a case. */
export const sendStatus = (id: string) => (edit: StatusEdit) =>
  callStaff('PUT /staff/cases/{id}/status', { params: { id }, body: edit });

export const sendSearch = (id: string) => (edit: SearchEdit) =>
  callStaff('PUT /staff/searches/{id}', { params: { id }, body: edit });

export const sendDocument = (id: string) => (edit: DocumentEdit) =>
  callStaff('PUT /staff/documents/{id}', { params: { id }, body: edit });

export const sendTask = (id: string) => (edit: TaskEdit) =>
  callStaff('PUT /staff/tasks/{id}', { params: { id }, body: edit });

export const sendBill = (id: string) => (edit: BillEdit) =>
  callStaff('PUT /staff/bills/{id}', { params: { id }, body: edit });

/**
 * Uploads a file, which can be used once in the next day.
 * @param onProgress called with the part that has arrived, from 0 to 1
 * @returns its id
 * @throws ApiError
 */
export async function uploadFile(file: File, onProgress: (part: number) => void): Promise<string> {
  const { file_id } = await callStaff('POST /staff/files', { file, onProgress });
  return file_id;
}
