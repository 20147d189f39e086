package io.gpureclaimer.reclaimer.notify;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads who gets messages from a YAML file. Each mistake is one line that names it. */
public final class ReceiversFile {
  private static final Pattern NAME = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");
  private static final Set<String> KEYS =
      new TreeSet<>(Set.of("name", "kind", "url", "url-file", "headers-file", "ca-file", "always"));

  private final Path file;

  private ReceiversFile(Path file) {
    this.file = file;
  }

  /**
   * Everybody whom the file names, in its order.
   *
   * @throws IllegalArgumentException if it cannot be honored
   */
  public static List<Receiver> read(Path file) {
    return new ReceiversFile(file).receivers();
  }

  private List<Receiver> receivers() {
    var receivers = new ArrayList<Receiver>();
    var names = new HashSet<String>();
    for (Object each : list()) {
      Receiver receiver = receiver(each);
      if (!names.add(receiver.name())) {
        throw mistake("two receivers of the name " + receiver.name());
      }
      receivers.add(receiver);
    }
    return receivers;
  }

  private List<?> list() {
    if (load() instanceof Map<?, ?> map
        && map.keySet().equals(Set.of("receivers"))
        && map.get("receivers") instanceof List<?> list) {
      return list;
    }
    throw mistake("expected one key, receivers, with a list");
  }

  private Object load() {
    try {
      String text = Files.readString(file);
      Object loaded = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
      return loaded == null ? Map.of() : loaded;
    } catch (IOException _) {
      throw mistake("it cannot be read");
    } catch (YAMLException _) {
      // What is wrong would be quoted, and may be a secret.
      throw mistake("it is no YAML");
    }
  }

  private Receiver receiver(Object each) {
    if (!(each instanceof Map<?, ?> map)) {
      throw mistake("expected each receiver to be a map");
    }
    String name = text(map, "name").orElse("");
    if (!NAME.matcher(name).matches()) {
      throw mistake("each receiver needs a name of a-z, 0-9 and -, one has \"" + name + "\"");
    }
    for (Object key : map.keySet()) {
      if (!KEYS.contains(String.valueOf(key))) {
        throw mistake("receiver " + name + " has " + key + ", known are " + KEYS);
      }
    }
    return new Receiver(
        name,
        kind(map, name),
        address(map, name),
        text(map, "headers-file").map(Path::of),
        text(map, "ca-file").map(Path::of),
        always(map, name));
  }

  private Receiver.Kind kind(Map<?, ?> map, String name) {
    String code = text(map, "kind").orElse("generic");
    return Receiver.Kind.of(code)
        .orElseThrow(
            () ->
                mistake(
                    "the kind of receiver "
                        + name
                        + " must be generic, slack or alertmanager, was "
                        + code));
  }

  private boolean always(Map<?, ?> map, String name) {
    return switch (text(map, "always").orElse("true")) {
      case "true" -> true;
      case "false" -> false;
      case String other ->
          throw mistake("always of receiver " + name + " must be true or false, was " + other);
    };
  }

  private Receiver.Address address(Map<?, ?> map, String name) {
    Optional<String> url = text(map, "url");
    Optional<String> urlFile = text(map, "url-file");
    if (url.isPresent() == urlFile.isPresent()) {
      throw mistake("receiver " + name + " needs exactly one of url and url-file");
    }
    return urlFile
        .<Receiver.Address>map(path -> new Receiver.Address.InFile(Path.of(path)))
        .orElseGet(() -> new Receiver.Address.Open(open(url.orElseThrow(), name)));
  }

  private URI open(String url, String name) {
    return WebAddress.of(url)
        .orElseThrow(
            () ->
                mistake(
                    "the url of receiver "
                        + name
                        + " must begin with http:// or https://, name a host and hold no user"));
  }

  private static Optional<String> text(Map<?, ?> map, String key) {
    return Optional.<Object>ofNullable(map.get(key)).map(Object::toString);
  }

  private IllegalArgumentException mistake(String what) {
    return new IllegalArgumentException("notify.file " + file + ": " + what);
  }
}
