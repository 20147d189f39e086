package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@code deploy/release} makes without the images, in a repository of its own with the files
 * of this one.
 */
class ReleaseTest {
  private static final String CHANGELOG =
      """
      # Changelog

      ## [Unreleased]

      - Not yet.

      ## [1.2.0] - 2026-11-26

      ### Added

      - A plugin.

      ## [1.1.0] - 2026-10-01

      - Before.
      """;

  @TempDir private Path folder;

  /** How a program ended. */
  private record ReleaseRun(int code, String output) {}

  @BeforeEach
  void commitsTheRepository() throws IOException {
    for (String part : List.of("deploy", "verification/sh")) {
      copy(part);
    }
    Files.copy(Chart.REPOSITORY.resolve("pom.xml"), folder.resolve("pom.xml"));
    Files.writeString(folder.resolve("CHANGELOG.md"), CHANGELOG);
    Files.writeString(folder.resolve(".gitignore"), "target/\n");
    git("init", "-q");
    git("add", "-A");
    git("commit", "-q", "-m", "everything");
  }

  @Test
  void hasEveryFile_withItsSum() throws IOException {
    Path release = release("1.2.0");

    assertThat(names(release))
        .containsExactly(
            "RELEASE-NOTES.md",
            "SHA256SUMS",
            "gpu-reclaimer-1.2.0-crds.yaml",
            "gpu-reclaimer-1.2.0-manifests.tar.gz",
            "gpu-reclaimer-1.2.0.tgz",
            "kubectl-gpu");
    ReleaseRun check = run(release, "sha256sum", "--check", "--strict", "SHA256SUMS");
    assertThat(check.code()).as(check.output()).isZero();
    assertThat(check.output()).hasLineCount(5);
    assertThat(release.resolve("kubectl-gpu")).isExecutable();
  }

  @Test
  void theChartIsAPackageOfThatVersion_asHelmReadsIt() throws IOException {
    Path release = release("1.2.0");

    String entries = run(release, "tar", "-tzvf", "gpu-reclaimer-1.2.0.tgz").output();
    assertThat(entries.lines())
        .allMatch(line -> line.matches("-rw-r--r-- 0/0 .* gpu-reclaimer/[^ ]+"))
        .anyMatch(line -> line.endsWith(" gpu-reclaimer/crds/reclamations.yaml"));
    run(release, "tar", "-xzf", "gpu-reclaimer-1.2.0.tgz");
    Path chart = release.resolve("gpu-reclaimer");
    assertThat(Files.readString(chart.resolve("Chart.yaml")))
        .contains("\nversion: 1.2.0\n", "\nappVersion: 1.2.0\n");
    assertThat(Chart.renderFrom(chart))
        .contains(
            "image: gpu-reclaimer.io/exporter:1.2.0", "image: gpu-reclaimer.io/reclaimer:1.2.0");
  }

  @Test
  void theManifestsNameTheImagesOfThatVersion() throws IOException {
    Path release = release("1.2.0");

    run(release, "tar", "-xzf", "gpu-reclaimer-1.2.0-manifests.tar.gz");
    assertThat(Files.readString(release.resolve("manifests/exporter.yaml")))
        .contains("image: gpu-reclaimer.io/exporter:1.2.0\n");
    assertThat(names(release.resolve("manifests")))
        .isEqualTo(names(folder.resolve("deploy/manifests")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.2.0", "2.0.0-rc.1"})
  void theNotesAreThoseOfTheVersion_orWhatIsUnreleased(String version) throws IOException {
    String expected = version.equals("1.2.0") ? "### Added\n\n- A plugin.\n" : "- Not yet.\n";

    assertThat(release(version).resolve("RELEASE-NOTES.md"))
        .hasContent("# gpu-reclaimer " + version + "\n\n" + expected);
  }

  @Test
  void twoRunsAreEqual_alsoWithOtherTimesAndModes() throws IOException {
    String first = Files.readString(release("1.2.0").resolve("SHA256SUMS"));

    run(
        folder,
        "sh",
        "-c",
        "find deploy -type f -exec touch -d 2001-01-01 {} + && chmod -R go-r deploy");

    assertThat(release("1.2.0").resolve("SHA256SUMS")).hasContent(first);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "1.2", "v1.2.0", "01.2.0", "1.2.0-", "1.2.0-01", "1.2.0+build", "../1.2.0"})
  void refusesWhatIsNoVersion(String version) throws IOException {
    assertThat(run(folder, "deploy/release", "--no-images", version))
        .isEqualTo(
            new ReleaseRun(
                2,
                "release: expected a semantic version such as 0.1.0 or 0.1.0-rc.1, without build"
                    + " metadata, found '"
                    + version
                    + "'\n"));
  }

  @Test
  void refusesChangesThatAreNotCommitted() throws IOException {
    Files.writeString(folder.resolve("forgotten"), "");

    assertThat(run(folder, "deploy/release", "--no-images", "1.2.0"))
        .isEqualTo(
            new ReleaseRun(
                2,
                "release: the working tree has changes that are not committed:\n?? forgotten\n"));
    assertThat(folder.resolve("target/release-1.2.0")).doesNotExist();
  }

  private Path release(String version) throws IOException {
    ReleaseRun made = run(folder, "deploy/release", "--no-images", version);
    assertThat(made.code()).as(made.output()).isZero();
    Path release = folder.toRealPath().resolve("target/release-" + version);
    assertThat(made.output()).isEqualTo(release + "\n");
    return release;
  }

  /** Without what was built. */
  private void copy(String part) throws IOException {
    try (Stream<Path> files = Files.walk(Chart.REPOSITORY.resolve(part))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path name = Chart.REPOSITORY.relativize(file);
        if (Stream.of(name.toString().split("/")).noneMatch("target"::equals)) {
          Path copy = folder.resolve(name);
          Files.createDirectories(copy.getParent());
          Files.copy(file, copy);
        }
      }
    }
  }

  private void git(String... arguments) throws IOException {
    var command = new ArrayList<String>();
    command.addAll(List.of("git", "-c", "user.name=Test", "-c", "user.email=test@example.com"));
    command.addAll(List.of(arguments));
    ReleaseRun git = run(folder, command.toArray(String[]::new));
    assertThat(git.code()).as(git.output()).isZero();
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static ReleaseRun run(Path folder, String... command) throws IOException {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new ReleaseRun(process.onExit().join().exitValue(), output);
  }
}
