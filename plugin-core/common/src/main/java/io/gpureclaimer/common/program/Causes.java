package io.gpureclaimer.common.program;

import io.gpureclaimer.common.time.Durations;
import java.nio.channels.UnresolvedAddressException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Root causes of a framework's exceptions. */
public final class Causes {

  /** What Micronaut says of a property that is not what it should be, somewhere in its message. */
  private static final Pattern CONVERSION =
      Pattern.compile(
          "property value \\[([^]]+)]\\. Unable to convert value \\[(.*?)] to "
              + "target type \\[([^]]+)]",
          Pattern.DOTALL);

  private Causes() {}

  /**
   * The message of our own check, if one failed, or of the conversion of a property; otherwise the
   * innermost one.
   */
  public static String ruleOf(Throwable thrown) {
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      if (at instanceof IllegalArgumentException && at.getMessage() != null) {
        return oneLine(at.getMessage());
      }
    }
    return conversion(thrown).orElseGet(() -> innermost(thrown));
  }

  /** What the innermost exception says. */
  public static String innermost(Throwable thrown) {
    Throwable at = thrown;
    while (at.getCause() != null) {
      at = at.getCause();
    }
    if (at instanceof UnresolvedAddressException) {
      return "unknown host";
    }
    return oneLine(at.getMessage() == null ? at.toString() : at.getMessage());
  }

  private static Optional<String> conversion(Throwable thrown) {
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      Matcher failure = CONVERSION.matcher(String.valueOf(at.getMessage()));
      if (failure.find()) {
        return Optional.of(
            failure.group(1)
                + " must be "
                + named(failure.group(3))
                + ", was "
                + oneLine(failure.group(2)));
      }
    }
    return Optional.empty();
  }

  private static String named(String type) {
    return switch (type) {
      case "Duration" -> Durations.EXAMPLES;
      case "int", "Integer", "long", "Long" -> "a whole number";
      case "double", "Double" -> "a number";
      case "boolean", "Boolean" -> "true or false";
      default -> "a " + type;
    };
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", "; ");
  }
}
