package io.gpureclaimer.core.nvml;

/**
 * Rows of device memory replaced by spare ones, over the life of the board.
 *
 * @param correctable because of correctable errors
 * @param uncorrectable because of uncorrectable errors
 * @param failureOccurred whether a row could once not be replaced
 */
public record RemappedRows(long correctable, long uncorrectable, boolean failureOccurred) {}
