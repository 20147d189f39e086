package io.gpureclaimer.deviceplugin.config;

/**
 * The value of a setting as it was written.
 *
 * @param text lists joined by commas
 * @param origin where it was written, for messages
 */
record Given(String text, String origin) {}
