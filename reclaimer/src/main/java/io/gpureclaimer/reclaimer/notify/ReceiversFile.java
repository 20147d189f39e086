package io.gpureclaimer.reclaimer.notify;

import io.gpureclaimer.common.yaml.YamlReader;
import io.gpureclaimer.common.yaml.YamlValue;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads the receivers of messages from a YAML file. Each mistake is one line with its position, and
 * never contains an address, which may be a secret.
 */
public final class ReceiversFile {
  private static final Pattern NAME = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");
  private static final List<String> KEYS =
      List.of("name", "kind", "url", "url-file", "headers-file", "ca-file", "always");

  private final YamlReader reader =
      new YamlReader(
          problem -> {
            throw mistake(problem.replaceFirst("(?s), was .*", ""));
          });

  private ReceiversFile() {}

  /**
   * The receivers in the order of the file.
   *
   * @throws IllegalArgumentException if the file cannot be read or has a mistake
   */
  public static List<Receiver> read(Path file) {
    return new ReceiversFile().receivers(root(file));
  }

  private static YamlValue root(Path file) {
    // The problem that the parser reports may quote an address.
    var reader =
        new YamlReader(
            _ -> {
              throw mistake(file + " is neither YAML nor JSON");
            });
    try {
      return reader
          .root(file.toString(), Files.readString(file))
          .orElseThrow(() -> mistake(file + " must have the key receivers, is empty"));
    } catch (IOException _) {
      throw mistake(file + " cannot be read");
    }
  }

  private List<Receiver> receivers(YamlValue root) {
    var receivers = new LinkedHashMap<String, Receiver>();
    for (YamlValue each :
        reader.elements(required(root, reader.fields(root, List.of("receivers")), "receivers"))) {
      Receiver receiver = receiver(each);
      if (receivers.put(receiver.name(), receiver) != null) {
        throw mistake(each.where() + " is the second receiver of the name " + receiver.name());
      }
    }
    return List.copyOf(receivers.values());
  }

  private Receiver receiver(YamlValue value) {
    Map<String, YamlValue> fields = reader.fields(value, KEYS);
    YamlValue name = required(value, fields, "name");
    if (!NAME.matcher(text(name)).matches()) {
      throw mistake(name.mustBe("a name of a-z, 0-9 and -"));
    }
    return new Receiver(
        text(name),
        optional(fields, "kind").map(this::kind).orElse(Receiver.PayloadFormat.GENERIC),
        address(value, fields, text(name)),
        path(fields, "headers-file"),
        path(fields, "ca-file"),
        optional(fields, "always").map(this::always).orElse(true));
  }

  private Receiver.PayloadFormat kind(YamlValue value) {
    return Receiver.PayloadFormat.of(text(value))
        .orElseThrow(() -> mistake(value.mustBe("generic, slack or alertmanager")));
  }

  private boolean always(YamlValue value) {
    return switch (text(value).toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on" -> true;
      case "false", "no", "off" -> false;
      default -> throw mistake(value.mustBe("true or false"));
    };
  }

  private Receiver.Address address(YamlValue receiver, Map<String, YamlValue> fields, String name) {
    Optional<YamlValue> url = optional(fields, "url");
    Optional<Path> urlFile = path(fields, "url-file");
    if (url.isPresent() == urlFile.isPresent()) {
      throw mistake(
          receiver.where() + ": receiver " + name + " needs exactly one of url and url-file");
    }
    return urlFile
        .<Receiver.Address>map(Receiver.Address.InFile::new)
        .orElseGet(() -> new Receiver.Address.Open(open(url.orElseThrow())));
  }

  private URI open(YamlValue url) {
    return Receiver.Address.parse(text(url))
        .orElseThrow(
            () ->
                mistake(
                    url.where()
                        + " must begin with http:// or https://, name a host and hold no user"));
  }

  private YamlValue required(YamlValue mapping, Map<String, YamlValue> fields, String key) {
    return reader.required(mapping, fields, key).orElseThrow();
  }

  private static Optional<YamlValue> optional(Map<String, YamlValue> fields, String key) {
    return Optional.ofNullable(fields.get(key));
  }

  private Optional<Path> path(Map<String, YamlValue> fields, String key) {
    return optional(fields, key).map(this::text).map(Path::of);
  }

  private String text(YamlValue value) {
    return reader.scalar(value, "a text").orElseThrow();
  }

  private static IllegalArgumentException mistake(String problem) {
    return new IllegalArgumentException("notify.file " + problem);
  }
}
