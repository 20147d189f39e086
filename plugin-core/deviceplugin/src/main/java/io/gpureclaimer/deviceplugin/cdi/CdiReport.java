package io.gpureclaimer.deviceplugin.cdi;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Published specifications, and problems.
 *
 * @param files what became of each file
 * @param devices qualified names of all devices in our files: what runtimes can resolve
 * @param problems what people should know, a sentence or two each; empty if all is well
 */
public record CdiReport(Map<Path, CdiOutcome> files, List<String> devices, List<String> problems) {
  public CdiReport {
    files = Map.copyOf(files);
    devices = List.copyOf(devices);
    problems = List.copyOf(problems);
  }

  /** The same, with one problem more. */
  public CdiReport with(String problem) {
    return new CdiReport(
        files, devices, Stream.concat(problems.stream(), Stream.of(problem)).toList());
  }

  /** Why nothing that is written here reaches any runtime; empty if it does. */
  public Optional<String> cutOff() {
    return files.values().stream()
        .filter(CdiOutcome.FolderDeleted.class::isInstance)
        .map(CdiOutcome.FolderDeleted.class::cast)
        .map(CdiOutcome.FolderDeleted::reason)
        .findFirst();
  }
}
