package io.gpureclaimer.verification.dashboards;

import java.nio.file.Path;

/** Where the files are that people get. */
final class RepositoryFiles {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  static final Path DASHBOARDS = ROOT.resolve("grafana/dashboards");
  static final Path RUNBOOKS = ROOT.resolve("docs/runbooks");
  static final Path RULES = ROOT.resolve("deploy/rules");

  private RepositoryFiles() {}
}
