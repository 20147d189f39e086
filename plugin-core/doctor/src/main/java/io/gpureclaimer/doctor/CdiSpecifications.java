package io.gpureclaimer.doctor;

import io.gpureclaimer.common.yaml.YamlReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The CDI specifications on the node: readable, without conflict, and of the driver that runs. */
final class CdiSpecifications implements Check {
  private static final List<String> FOLDERS = List.of("/etc/cdi", "/var/run/cdi");
  private static final int MOST_NAMED = 3;

  @Override
  public String name() {
    return "CDI specifications";
  }

  @Override
  public Outcome run(ExaminedNode node) {
    NodeFiles files = node.files();
    List<String> unreadable = new ArrayList<>();
    List<Specification> all = new ArrayList<>();
    for (String folder : FOLDERS) {
      for (String name : files.names(folder)) {
        if (name.endsWith(".json") || name.endsWith(".yaml")) {
          String file = folder + '/' + name;
          Specification.read(folder, file, files.text(file).orElse(""))
              .ifPresentOrElse(all::add, () -> unreadable.add(file));
        }
      }
    }
    return judged(files, unreadable, all);
  }

  private static Outcome judged(NodeFiles files, List<String> unreadable, List<Specification> all) {
    if (!unreadable.isEmpty()) {
      return new Outcome.Problem(
          "no specification, or not readable: " + some(unreadable),
          "generate them again or remove them: a runtime skips such a file, and the devices in"
              + " it are not resolved");
    }
    List<String> conflicts = conflicts(all);
    if (!conflicts.isEmpty()) {
      return new Outcome.Problem(
          "named by two files of one folder, so that neither counts: " + some(conflicts),
          "take one of the files away");
    }
    List<String> stale = stale(files, all);
    if (!stale.isEmpty() && stale.size() == mounted(all).count()) {
      return new Outcome.Undecided(
          "the files that the specifications mount are not to be seen from here; --root names the"
              + " folder where the node's / is mounted");
    }
    if (!stale.isEmpty()) {
      return files.missed(
          new Outcome.Problem(
              "files of the node that are named and not there: " + some(stale),
              "the driver was changed since: generate the specification again (nvidia-ctk cdi"
                  + " generate, or start the device plugin that wrote it)"));
    }
    long gpus = all.stream().filter(Specification::isOfNvidia).count();
    return gpus == 0
        ? new Outcome.NotApplicable(
            "none of NVIDIA's; a device plugin writes them if it hands GPUs" + " out by CDI")
        : new Outcome.Ok(
            all.stream()
                .filter(Specification::isOfNvidia)
                .map(it -> it.file() + " (" + Plurals.of(it.devices().size(), "device") + ")")
                .reduce((one, other) -> one + ", " + other)
                .orElse(""));
  }

  private static List<String> conflicts(List<Specification> all) {
    Map<String, String> first = new LinkedHashMap<>();
    List<String> conflicts = new ArrayList<>();
    for (Specification specification : all) {
      for (String device : specification.devices()) {
        String name = specification.kind() + '=' + device;
        String other = first.put(specification.folder() + ' ' + name, specification.file());
        if (other != null) {
          conflicts.add(name + " in " + other + " and " + specification.file());
        }
      }
    }
    return conflicts;
  }

  private static List<String> stale(NodeFiles files, List<Specification> all) {
    return mounted(all).filter(it -> !files.exists(it.path())).map(Mounted::toString).toList();
  }

  private static Stream<Mounted> mounted(List<Specification> all) {
    return all.stream()
        .filter(Specification::isOfNvidia)
        .flatMap(
            specification ->
                specification.mounts().stream()
                    .map(path -> new Mounted(path, specification.file())));
  }

  /** A file of the node that a specification brings into containers. */
  private record Mounted(String path, String specification) {
    @Override
    public String toString() {
      return path + " in " + specification;
    }
  }

  private static String some(List<String> texts) {
    String named = String.join("; ", texts.subList(0, Math.min(MOST_NAMED, texts.size())));
    return texts.size() > MOST_NAMED
        ? named + "; and " + (texts.size() - MOST_NAMED) + " more"
        : named;
  }

  /** What is needed of one file. */
  private record Specification(
      String folder, String file, String kind, List<String> devices, List<String> mounts) {
    private static final String NVIDIA = "nvidia";

    /** JSON is YAML too. */
    static Optional<Specification> read(String folder, String file, String text) {
      if (!(YamlReader.tree(text).orElse(null) instanceof Map<?, ?> map)
          || !(map.get("kind") instanceof String kind)) {
        return Optional.empty();
      }
      List<Map<?, ?>> devices = maps(map.get("devices")).toList();
      List<String> names =
          devices.stream().map(device -> String.valueOf(device.get("name"))).toList();
      List<String> mounts =
          Stream.concat(Stream.of(map), devices.stream())
              .flatMap(it -> maps(it.get("containerEdits")))
              .flatMap(edits -> maps(edits.get("mounts")))
              .map(mount -> String.valueOf(mount.get("hostPath")))
              .toList();
      return Optional.of(new Specification(folder, file, kind, names, mounts));
    }

    boolean isOfNvidia() {
      return kind.contains(NVIDIA);
    }

    /** Of a list, its maps; a map alone is a list of one. */
    private static Stream<Map<?, ?>> maps(@Nullable Object value) {
      Stream<?> all = value instanceof List<?> list ? list.stream() : Stream.ofNullable(value);
      return all.filter(Map.class::isInstance).map(it -> (Map<?, ?>) it);
    }
  }
}
