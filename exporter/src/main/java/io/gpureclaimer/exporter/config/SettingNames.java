package io.gpureclaimer.exporter.config;

import java.util.function.UnaryOperator;

/**
 * Names of settings in messages: the flag or variable that a user has set.
 *
 * @param inFlags replaces the properties in a message
 */
public record SettingNames(UnaryOperator<String> inFlags) {
  /** Every property keeps its name. */
  public static final SettingNames OF_PROPERTIES = new SettingNames(UnaryOperator.identity());
}
