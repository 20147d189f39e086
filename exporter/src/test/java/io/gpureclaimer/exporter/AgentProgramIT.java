package io.gpureclaimer.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The program as a user meets it: the executable jar in a process of its own. */
class AgentProgramIT {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
  private static final Path OTHER_JAVA = Path.of("/usr/bin/java");
  private static final String OPTIONS = "@src/main/jvm/jvm.options";
  private static final String LOG_LINE =
      "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z (INFO |WARN |ERROR) \\w+ - .+";

  @TempDir Path folder;

  /** What a finished process left behind. */
  private record Ended(int code, String out, String err) {}

  @Test
  void printsItsVersion() throws Exception {
    var ended = run(JAVA, OPTIONS, "-jar", "target/gpu-exporter.jar", "--version");

    assertThat(ended.out()).matches("gpu-exporter \\d+\\.\\d+\\.\\S+\n");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --nope               | Unknown option: '--nope'
          --collect-interval=0 | --collect-interval must be a whole number of ms from 1 to 604800000, was "0"
          --simulate=h300      | --simulate must be one of a100-mig, a100x8, h100x8, h100x8-mig, h200x8, mixed, t4x4, was "h300"
          """)
  void saysInOneLineWhatIsWrong(String argument, String problem) throws Exception {
    assertThat(run(JAVA, OPTIONS, "-jar", "target/gpu-exporter.jar", argument))
        .isEqualTo(new Ended(2, "", "gpu-exporter: " + problem + " (see --help)\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {sampling: {interval: 1y}}           | sampling.interval must be a duration like 90s, 10m, 2h, 1h30m, 1d or 1w, was 1y
          {activity: {threshold-percent: abc}} | activity.threshold-percent must be a number, was abc
          {sampling: {interval: 2s, stale-after: 1s}} | sampling.stale-after must be at least twice sampling.interval, was 1000ms
          {sampling: [                         | while parsing a flow node
          {driver: {libary: x}}                | unknown property driver.libary in
          """)
  void saysInOneLine_whenAConfigurationFileIsWrong(String text, String problem) throws Exception {
    Path file = Files.writeString(folder.resolve("application.yml"), text);
    var ended = run(JAVA, "-Dmicronaut.config.files=" + file, "-jar", "target/gpu-exporter.jar");

    assertThat(ended.err()).startsWith("gpu-exporter: " + problem);
    assertThat(ended.err().lines()).hasSize(1);
    assertThat(ended.code()).isEqualTo(2);
  }

  @Test
  void saysInOneLine_whenThePortIsTaken() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      var ended = run(JAVA, "-jar", "target/gpu-exporter.jar", "--simulate", "t4x4", "-a", address);

      assertThat(ended.err().lines().filter(line -> !line.matches(LOG_LINE)))
          .containsExactly(
              "gpu-exporter: cannot listen on " + address + ": Address already in use");
      assertThat(ended.code()).isEqualTo(1);
    }
  }

  @Test
  void saysInOneLine_whenADeviceIsSelectedThatIsNotThere() throws Exception {
    var ended =
        run(
            JAVA,
            OPTIONS,
            "-jar",
            "target/gpu-exporter.jar",
            "--simulate=t4x4",
            "-a=127.0.0.1:0",
            "-d=g:0,4");

    assertThat(ended.err().lines().filter(line -> !line.matches(LOG_LINE)))
        .containsExactly(
            "gpu-exporter: --devices: GPU 4 is selected and not there; there are 4 GPUs and 0"
                + " instances");
    assertThat(ended.code()).isEqualTo(2);
  }

  /** As dcgm-exporter does. */
  @Timeout(120)
  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT"})
  void endsWithStatusZero_onASignal(String signal) throws Exception {
    var process =
        start(
            // A JVM below a shell's background job is born deaf to interrupts.
            Path.of("/usr/bin/env"),
            "--default-signal=" + signal,
            JAVA.toString(),
            OPTIONS,
            "-jar",
            "target/gpu-exporter.jar",
            "--simulate=t4x4",
            "-a=127.0.0.1:0",
            "--log-format=json");
    var lines = new ArrayList<String>();
    try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
      String line = err.readLine();
      while (line != null) {
        lines.add(line);
        if (line.contains(" listens on 127.0.0.1:")) {
          new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
        }
        line = err.readLine();
      }
    }

    assertThat(process.waitFor()).isZero();
    assertThat(lines)
        .isNotEmpty()
        .allMatch(
            line ->
                line.matches(
                    "\\{\"time\":\"[\\d:.TZ-]+\",\"level\":\"(INFO|WARN)\",\"msg\":\".+\",\"logger\":\"[\\w.]+\"}"));
  }

  @Test
  void saysInOneLine_whenInstancesAreSelectedAndThereAreNone() throws Exception {
    var ended =
        run(
            JAVA,
            OPTIONS,
            "-jar",
            "target/gpu-exporter.jar",
            "--simulate=t4x4",
            "-a=127.0.0.1:0",
            "-d=i");

    assertThat(ended.err().lines().filter(line -> !line.matches(LOG_LINE)))
        .containsExactly("gpu-exporter: --devices: MIG instances are selected, and no GPU has any");
    assertThat(ended.code()).isEqualTo(2);
  }

  @Test
  void logsNothingButItsOwnLines() throws Exception {
    var process =
        start(JAVA, "-jar", "target/gpu-exporter.jar", "--simulate", "t4x4", "-a", "127.0.0.1:0");
    var lines = new ArrayList<String>();
    try (var err =
        new BufferedReader(
            new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
      String line = err.readLine();
      while (line != null) {
        lines.add(line);
        if (line.contains(" listens on 127.0.0.1:")) {
          process.toHandle().destroy();
        }
        line = err.readLine();
      }
    }

    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(lines).allMatch(line -> line.matches(LOG_LINE));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void saysNothing_whenAClientSpeaksNoTls(boolean http2) throws Exception {
    Certificates.make(folder, "server", "EC").writtenTo(folder, "s");
    Path config = folder.resolve("web.yml");
    Files.writeString(
        config,
        "tls_server_config: {cert_file: s.crt, key_file: s.key}\nhttp_server_config: {http2: "
            + http2
            + "}\n");
    var process =
        start(
            JAVA,
            "-jar",
            "target/gpu-exporter.jar",
            "--simulate=t4x4",
            "-a=127.0.0.1:0",
            "--web-config-file=" + config);
    var lines = new ArrayList<String>();
    try (var err =
        new BufferedReader(
            new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
      String line = err.readLine();
      while (line != null) {
        lines.add(line);
        if (line.contains(" listens on 127.0.0.1:")) {
          speakPlainly(Integer.parseInt(line.substring(line.lastIndexOf(':') + 1)));
          process.toHandle().destroy();
        }
        line = err.readLine();
      }
    }

    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(lines).allMatch(line -> line.matches(LOG_LINE));
    assertThat(lines).noneMatch(line -> line.contains("handshake"));
  }

  private static void speakPlainly(int port) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket
          .getOutputStream()
          .write("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
      socket.getInputStream().readAllBytes();
    }
  }

  @Test
  void livesOnInLittleMemory_whenThePodsFileIsHuge() throws Exception {
    String entry = "- {device: GPU-a, namespace: ml, pod: train-0, container: main}\n";
    Path pods = folder.resolve("pods.yaml");
    Files.writeString(pods, entry.repeat(4 * 1024 * 1024 / entry.length()));

    assertThat(complaintInLittleMemory(pods)).contains("must have at most 262144 bytes, has more");
  }

  @Test
  void livesOnInLittleMemory_whenThePodsFileIsAsLargeAsAllowed() throws Exception {
    Path pods = folder.resolve("pods.yaml");
    Files.writeString(pods, "[" + "[],".repeat(80 * 1024) + "]");

    assertThat(complaintInLittleMemory(pods)).contains("[0] must be a mapping, was a list of 0");
  }

  /** What the program says about its pods file, while it goes on to listen. */
  private static String complaintInLittleMemory(Path pods)
      throws IOException, InterruptedException {
    var process =
        start(
            JAVA,
            OPTIONS,
            "-Xmx48m",
            "-XX:+ExitOnOutOfMemoryError",
            "-jar",
            "target/gpu-exporter.jar",
            "--simulate=t4x4",
            "-a=127.0.0.1:0",
            "--pods-file=" + pods);
    String about = "";
    boolean listens = false;
    try (var err =
        new BufferedReader(
            new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
      while (about.isEmpty() || !listens) {
        String line = err.readLine();
        assertThat(line).as("the next line, before the program ended").isNotNull();
        about = line.contains("pods file") ? line : about;
        listens |= line.contains(" listens on ");
      }
      assertThat(process.isAlive()).isTrue();
    } finally {
      process.toHandle().destroy();
    }
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return about;
  }

  @Test
  void saysInOneLine_whenTheJvmIsTooOld() throws Exception {
    assumeTrue(Files.isExecutable(OTHER_JAVA), "there is no other JVM");
    var ended = run(OTHER_JAVA, "-jar", "target/gpu-exporter.jar", "--version");
    assumeTrue(ended.code() != 0, "the other JVM is new enough");

    assertThat(ended.err()).startsWith("gpu-exporter needs Java 25 or newer, this is ");
    assertThat(ended.err().lines()).hasSize(1);
    assertThat(ended.code()).isEqualTo(1);
  }

  private static Ended run(Path java, String... arguments)
      throws IOException, InterruptedException {
    var process = start(java, arguments);
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), out, err);
  }

  private static Process start(Path java, String... arguments) throws IOException {
    var command = new ArrayList<>(List.of(java.toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command);
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("DCGM_") || name.startsWith("GPU_EXPORTER_"));
    return builder.start();
  }
}
