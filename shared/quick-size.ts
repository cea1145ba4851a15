/** The quick window grows with its answer up to this height, in CSS pixels; then the answer scrolls. */
export const quickMaxHeightPx = 420;

/** How wide the quick window is, in CSS pixels. */
export const quickWidthPx = 680;
