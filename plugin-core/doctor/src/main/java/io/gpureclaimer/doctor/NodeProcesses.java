package io.gpureclaimer.doctor;

import java.util.regex.Pattern;

/** The processes that are to be seen from here. */
final class NodeProcesses {
  private static final Pattern ID = Pattern.compile("\\d+");

  private NodeProcesses() {}

  /** Whether one runs under this name, of which the kernel keeps 15 characters. */
  static boolean run(NodeFiles files, String name) {
    return files.names("/proc").stream()
        .filter(entry -> ID.matcher(entry).matches())
        .anyMatch(id -> files.text("/proc/" + id + "/comm").orElse("").strip().equals(name));
  }
}
