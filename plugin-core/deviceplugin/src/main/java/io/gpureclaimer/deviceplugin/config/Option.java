package io.gpureclaimer.deviceplugin.config;

import java.util.Arrays;
import java.util.List;

/**
 * A flag of NVIDIA's device plugin or feature discovery that is understood here, for a command line
 * that offers it.
 *
 * @param names without dashes, the usual one first
 * @param isSwitch whether it may be given without a value
 * @param isList whether it may be given several times, and then has all the values
 * @param variables of the environment that say the same, the one that wins first
 * @param usual what holds where nobody says otherwise; empty for nothing
 * @param meaning in a few words
 */
public record Option(
    List<String> names,
    boolean isSwitch,
    boolean isList,
    List<String> variables,
    String usual,
    String meaning) {
  public Option {
    names = List.copyOf(names);
    variables = List.copyOf(variables);
  }

  /** All that have a name on the command line. */
  public static List<Option> all() {
    return Arrays.stream(Flag.values())
        .filter(flag -> !flag.options().isEmpty())
        .map(
            flag ->
                new Option(
                    flag.options(),
                    flag.form() == Flag.Form.TRUTH,
                    flag.form() == Flag.Form.TEXTS || flag.form() == Flag.Form.NUMBERS,
                    flag.variables(),
                    flag.usual(),
                    Meaning.of(flag)))
        .toList();
  }
}
