/** The message with which the desk asks the preview to refetch what it shows. */
export const refetchMessage = 'keyturn-desk.refetch-preview';
