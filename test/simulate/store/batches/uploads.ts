export const dropUploadsAbout = async (): Promise<void> => {}
