package io.gpureclaimer.doctor;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's modules, and NVIDIA's among them.
 *
 * @param readable whether the list of modules could be read
 * @param names of all that are loaded
 * @param nvidia the version of NVIDIA's; null if it is not loaded, or not reported
 */
record KernelModules(boolean readable, Set<String> names, @Nullable String nvidia) {
  private static final String MODULES = "/proc/modules";
  private static final String VERSION = "/proc/driver/nvidia/version";
  private static final Pattern NUMBER = Pattern.compile("\\s(\\d+\\.\\d+(?:\\.\\d+)?)\\s");

  KernelModules {
    names = Set.copyOf(names);
  }

  static KernelModules read(NodeFiles files) {
    Optional<String> modules = files.text(MODULES);
    Set<String> names =
        modules.stream()
            .flatMap(String::lines)
            .map(line -> line.split(" ", 2)[0])
            .collect(Collectors.toSet());
    return new KernelModules(
        modules.isPresent(),
        names,
        files.text(VERSION).flatMap(KernelModules::version).orElse(null));
  }

  Optional<String> version() {
    return Optional.ofNullable(nvidia);
  }

  /** Whether NVIDIA's is there: also seen from its own files, which it has in any container. */
  boolean hasNvidia() {
    return nvidia != null || names.contains("nvidia");
  }

  boolean hasNouveau() {
    return names.contains("nouveau");
  }

  private static Optional<String> version(String text) {
    Matcher number = NUMBER.matcher(text);
    return number.find() ? Optional.of(number.group(1)) : Optional.empty();
  }
}
