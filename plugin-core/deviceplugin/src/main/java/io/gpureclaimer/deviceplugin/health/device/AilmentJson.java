package io.gpureclaimer.deviceplugin.health.device;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One ailment as JSON, and how its values are read. */
final class AilmentJson {

  static String write(Ailment ailment) {
    return "{\"reason\": "
        + HealthJson.quoted(ailment.reason().code())
        + ", \"xid\": "
        + ailment.xid()
        + ", \"text\": "
        + HealthJson.quoted(ailment.text())
        + ", \"since\": "
        + HealthJson.quoted(ailment.since().toString())
        + ", \"cure\": "
        + HealthJson.quoted(ailment.cure().text())
        + ", \"resetSeen\": "
        + ailment.resetSeen()
        + ", \"instance\": "
        + ailment.instance()
        + ", \"mig\": "
        + (ailment.mig() == null ? "null" : HealthJson.quoted(ailment.mig()))
        + '}';
  }

  /** What was written has come before every survey that there will be. */
  static Ailment read(Map<?, ?> map) throws BadHealthFile {
    String reason = text("reason", map.get("reason"));
    String cure = text("cure", map.get("cure"));
    Object mig = map.get("mig");
    return new Ailment(
        Reason.of(reason)
            .orElseThrow(() -> new BadHealthFile("reason must be one of ours, was " + reason)),
        integer("xid", map.get("xid")),
        text("text", map.get("text")),
        instant(text("since", map.get("since"))),
        Cure.of(cure).orElseThrow(() -> new BadHealthFile("cure must be one of ours, was " + cure)),
        Boolean.TRUE.equals(map.get("resetSeen")),
        true,
        integer("instance", map.get("instance")),
        mig == null ? null : text("mig", mig));
  }

  static Map<?, ?> map(String what, @Nullable Object value) throws BadHealthFile {
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw new BadHealthFile(what + " must have keys and values, was not so");
  }

  static String text(String what, @Nullable Object value) throws BadHealthFile {
    if (value instanceof String text) {
      return text;
    }
    throw new BadHealthFile(what + " must be a text, was " + value);
  }

  static @Nullable Long number(String what, @Nullable Object value) throws BadHealthFile {
    return switch (value) {
      case null -> null;
      case Integer number -> Long.valueOf(number);
      case Long number -> number;
      default -> throw new BadHealthFile(what + " must be a whole number, was " + value);
    };
  }

  private static @Nullable Integer integer(String what, @Nullable Object value)
      throws BadHealthFile {
    Long number = number(what, value);
    if (number != null && (number < 0 || number > Integer.MAX_VALUE)) {
      throw new BadHealthFile(what + " must be a number from 0, was " + number);
    }
    return number == null ? null : number.intValue();
  }

  static Instant instant(String text) throws BadHealthFile {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new BadHealthFile("since must be a time, was " + text, e);
    }
  }

  private AilmentJson() {}
}
