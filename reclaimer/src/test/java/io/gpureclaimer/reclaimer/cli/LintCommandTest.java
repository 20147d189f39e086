package io.gpureclaimer.reclaimer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("replaces System.out")
class LintCommandTest {
  private static final String CLEAN =
      """
      apiVersion: v1
      kind: Namespace
      metadata:
        name: ml
        annotations:
          gpu-reclaimer.io/mode: on-demand
          gpu-reclaimer.io/min-idle-after: 2h
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: other, annotations: {example.com/mode: whatever}}
      """;

  private static final String WORKLOADS =
      """
      {"apiVersion": "v1", "kind": "List", "items": [
        {"apiVersion": "v1", "kind": "Pod",
         "metadata": {"name": "a", "namespace": "ml", "annotations": {
           "gpu-reclaimer.io/idle-after": "1h",
           "gpu-reclaimer.io/max-per-run": "5",
           "gpu-reclaimer.io/warned-at": "now"}}},
        {"apiVersion": "batch/v1", "kind": "CronJob",
         "metadata": {"name": "c", "annotations": {"gpu-reclaimer.io/exlude": "true"}},
         "spec": {"jobTemplate": {"spec": {"template": {
           "metadata": {"annotations": {"gpu-reclaimer.io/keep-until": "tomorrow"}},
           "spec": {"containers": []}}}}}}]}
      """;

  @TempDir Path folder;
  private Path clean;
  private Path workloads;

  @BeforeEach
  void write() throws IOException {
    clean = Files.writeString(folder.resolve("clean.yaml"), CLEAN);
    workloads = Files.writeString(folder.resolve("workloads.json"), WORKLOADS);
  }

  @Test
  void saysNothing_whenAllIsUnderstood() {
    assertThat(lint(clean.toString())).isEqualTo(new Console(0, "", ""));
  }

  @Test
  void saysWhatDoesNotHold_andWhatHoldsInstead() {
    assertThat(lint(clean.toString(), workloads.toString()))
        .isEqualTo(
            new Console(
                1,
                """
                FILE: pod ml/a: gpu-reclaimer.io/max-per-run "5": must not be on a pod; only reported on until then
                FILE: note: pod ml/a: gpu-reclaimer.io/idle-after "1h": at least 2h is allowed by namespace ml
                FILE: pod ml/a: gpu-reclaimer.io/warned-at "now": must not be written by people; the reclaimer keeps its warnings here
                FILE: CronJob default/c: gpu-reclaimer.io/exlude "true": no such annotation, did you mean gpu-reclaimer.io/exclude? only reported on until then
                FILE: pods of CronJob default/c: gpu-reclaimer.io/keep-until "tomorrow": must be a time like 2026-03-01T18:00:00Z or a day like 2026-03-01; only reported on until then
                """
                    .replace("FILE", workloads.toString()),
                ""));
  }

  @Test
  void namesReceiversThatAreNotConfigured() throws IOException {
    Path wishes =
        Files.writeString(
            folder.resolve("wishes.yaml"),
            """
            kind: Namespace
            metadata: {name: ml, annotations: {gpu-reclaimer.io/notify: "platform, mlteam"}}
            ---
            kind: Pod
            metadata: {name: a, namespace: other, annotations: {gpu-reclaimer.io/notify: missing}}
            """);
    Path receivers =
        Files.writeString(
            folder.resolve("receivers.yaml"),
            "receivers: [{name: platform, url: 'https://hooks.example.com/'}]");

    assertThat(lint(wishes.toString(), "--notify-file=" + receivers))
        .isEqualTo(
            new Console(
                1,
                """
                FILE: namespace ml: gpu-reclaimer.io/notify "mlteam": must be a configured receiver; only reported on until then
                FILE: pod other/a: gpu-reclaimer.io/notify "missing": must be a configured receiver; only reported on until then
                """
                    .replace("FILE", wishes.toString()),
                ""));
  }

  @Test
  void cannotKnowWhoIsConfigured_whenNothingSaysSo() throws IOException {
    Path wish =
        Files.writeString(
            folder.resolve("wish.yaml"),
            """
            kind: Namespace
            metadata: {name: ml, annotations: {gpu-reclaimer.io/notify: missing}}
            """);

    Console console = lint(wish.toString());

    assertThat(console.out()).isEmpty();
    assertThat(console.exitCode()).isZero();
  }

  /** A user who writes it expects protection. */
  @Test
  void aLabelThatShouldBeAnAnnotationIsAMistake() throws IOException {
    Path label =
        Files.writeString(
            folder.resolve("label.yaml"),
            """
            kind: Pod
            metadata:
              name: a
              namespace: ml
              labels: {app: a, gpu-reclaimer.io/exclude: "true"}
            """);

    assertThat(lint(label.toString()))
        .isEqualTo(
            new Console(
                1,
                label
                    + ": pod ml/a: gpu-reclaimer.io/exclude \"true\": must be an annotation, was a"
                    + " label, which is not read\n",
                ""));
  }

  @Test
  void aNoteAloneIsNoMistake() throws IOException {
    Path note =
        Files.writeString(
            folder.resolve("note.yaml"),
            """
            kind: Namespace
            metadata: {name: ml, annotations: {gpu-reclaimer.io/idle-after: 1m}}
            """);

    assertThat(lint(note.toString(), "--min-idle-after=20m"))
        .isEqualTo(
            new Console(
                0,
                note
                    + ": note: namespace ml: gpu-reclaimer.io/idle-after \"1m\": at least 20m is"
                    + " allowed\n",
                ""));
  }

  @Test
  void printsJson() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("pod.yaml"),
            """
            kind: Pod
            metadata: {name: a, namespace: ml, annotations: {gpu-reclaimer.io/exclude: "yes"}}
            """);

    assertThat(lint(file.toString(), "--output=json"))
        .isEqualTo(
            new Console(
                1,
                """
                {
                  "schema" : 1,
                  "mistakes" : 1,
                  "findings" : [
                    {
                      "source" : "FILE",
                      "object" : "pod ml/a",
                      "key" : "gpu-reclaimer.io/exclude",
                      "value" : "yes",
                      "rule" : "must be true or false; only reported on until then",
                      "mistake" : true
                    }
                  ]
                }
                """
                    .replace("FILE", file.toString()),
                ""));
  }

  @Test
  void saysThatAnAnnotationMustBeAText() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("pod.yaml"),
            """
            kind: Pod
            metadata: {name: a, namespace: ml, annotations: {gpu-reclaimer.io/exclude: true}}
            """);

    assertThat(lint(file.toString()))
        .isEqualTo(
            new Console(
                1,
                "",
                "gpu-reclaimer: "
                    + file
                    + ": pod ml/a: the annotation gpu-reclaimer.io/exclude must be a text, was"
                    + " true; put it in quotes\n"));
  }

  @Test
  void saysWhereAFileIsNotYaml() throws IOException {
    Path file = Files.writeString(folder.resolve("pod.yaml"), "kind: Pod\n---\nkind: [");

    assertThat(lint(file.toString()).err())
        .startsWith("gpu-reclaimer: " + file + ":3:8 is neither YAML nor JSON: ");
  }

  @Test
  void refusesAFileThatIsNotThere() {
    assertThat(lint("/nowhere.yaml"))
        .isEqualTo(new Console(2, "", "gpu-reclaimer: cannot read /nowhere.yaml\n"));
  }

  private static Console lint(String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "lint";
    System.arraycopy(args, 0, all, 1, args.length);
    return Console.with(Map.of(), all);
  }
}
