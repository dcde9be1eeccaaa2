export const createPictureToPdf = () => async (picture: Buffer) => picture;
