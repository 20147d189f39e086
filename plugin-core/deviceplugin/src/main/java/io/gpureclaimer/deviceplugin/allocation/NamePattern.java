package io.gpureclaimer.deviceplugin.allocation;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Resource name of devices whose model or profile matches a pattern.
 *
 * @param pattern the whole model or profile; {@code *} stands for any characters
 * @param name of the resource
 */
public record NamePattern(String pattern, ResourceName name) {

  /** Whether the whole text looks so. */
  public boolean matches(String text) {
    String expression =
        Arrays.stream(pattern.split("\\*", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*"));
    return Pattern.compile(expression, Pattern.DOTALL).matcher(text).matches();
  }
}
