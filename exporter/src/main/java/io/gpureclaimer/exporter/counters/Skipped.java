package io.gpureclaimer.exporter.counters;

/**
 * A row of the counters file that is in order and yet not served.
 *
 * @param line where it stands, from 1
 * @param name as the row spells it
 * @param reason for people, a half-sentence
 */
public record Skipped(int line, String name, String reason) {}
