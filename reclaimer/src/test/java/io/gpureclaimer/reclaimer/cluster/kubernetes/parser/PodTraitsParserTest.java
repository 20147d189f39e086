package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodTraitsParserTest {

  @Test
  void readsWhatAPodLooksLike() {
    Pod pod =
        Yaml.read(
            """
            metadata:
              labels:
                notebook-name: mine
                kueue.x-k8s.io/queue-name: gpus
                pod-template-hash: 5d4f
                ray.io/cluster: c1
                team: vision
            spec:
              volumes:
              - {name: cache, emptyDir: {}}
              - {name: data, persistentVolumeClaim: {claimName: data}}
              containers:
              - {tty: true, volumeMounts: [{name: cache, mountPath: /c}, {name: data, mountPath: /d}]}
            """,
            Pod.class);

    assertThat(traits(pod))
        .isEqualTo(
            new PodTraits(
                Map.of(
                    "notebook-name", "mine",
                    "kueue.x-k8s.io/queue-name", "gpus",
                    "ray.io/cluster", "c1",
                    "team", "vision"),
                true,
                List.of("cache"),
                Optional.of(new Group("ray.io/cluster", "c1"))));
  }

  @Test
  void isNothingSpecial() {
    assertThat(
            traits(
                Yaml.read("{metadata: {labels: {app: web}}, spec: {containers: [{}]}}", Pod.class)))
        .isEqualTo(PodTraits.NONE);
  }

  @Test
  void knowsTheGroupThatKubernetesSchedulesTogether() {
    Pod pod =
        Yaml.read(
            "{metadata: {}, spec: {schedulingGroup: {podGroupName: ranks}, containers: [{}]}}",
            Pod.class);
    assertThat(traits(pod).group())
        .contains(new Group("spec.schedulingGroup.podGroupName", "ranks"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          labels: {kueue.x-k8s.io/pod-group-name: g}              | kueue.x-k8s.io/pod-group-name
          annotations: {scheduling.k8s.io/group-name: g}          | scheduling.k8s.io/group-name
          annotations: {scheduling.volcano.sh/group-name: g}      | scheduling.volcano.sh/group-name
          annotations: {gang.scheduling.koordinator.sh/name: g}   | gang.scheduling.koordinator.sh/name
          annotations: {yunikorn.apache.org/task-group-name: g}   | yunikorn.apache.org/task-group-name
          labels: {leaderworkerset.sigs.k8s.io/name: g}           | leaderworkerset.sigs.k8s.io/name
          labels: {jobset.sigs.k8s.io/jobset-name: g}             | jobset.sigs.k8s.io/jobset-name
          labels: {training.kubeflow.org/job-name: g}             | training.kubeflow.org/job-name
          """)
  void knowsTheGroup(String metadata, String key) {
    Pod pod = Yaml.read("{metadata: {" + metadata + "}, spec: {}}", Pod.class);
    assertThat(traits(pod).group()).contains(new Group(key, "g"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tty: true",
        "stdin: true",
        "command: [sleep, infinity]",
        "command: [/bin/sleep, inf]",
        "command: [sh, -c, sleep 86400]",
        "command: [/bin/bash, -lc, 'exec sleep 10d']",
        "command: [/bin/sh, -c, 'trap : TERM INT; sleep infinity & wait']",
        "args: [tail, -f, /dev/null]",
        "command: [bash, -c, 'while true; do sleep 30; done;']",
        "command: [tini, --, sleep, infinity]"
      })
  void isInteractive_whenItWaitsForAUser(String container) {
    assertThat(interactive(container)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "command: [python, train.py]",
        "command: [sleep, '30']",
        "command: [sh, -c, python train.py; sleep infinity]",
        "command: [sh, -c, sleep 3600 && python train.py]",
        "args: [--serve]",
        "tty: false"
      })
  void isNotInteractive_whenItDoesMore(String container) {
    assertThat(interactive(container)).isFalse();
  }

  @ParameterizedTest(name = "{0}, {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          emptyDir: {}                                | {name: v}                 | true
          emptyDir: {medium: Memory}                  | {name: v}                 | false
          hostPath: {path: /scratch}                  | {name: v}                 | true
          hostPath: {path: /etc/localtime}            | {name: v, readOnly: true} | false
          ephemeral: {}                               | {name: v}                 | true
          emptyDir: {}                                | {name: other}             | false
          persistentVolumeClaim: {claimName: a}       | {name: v}                 | false
          configMap: {name: a}                        | {name: v}                 | false
          """)
  void losesWhatIsWrittenToVolumesOfItsOwn(String volume, String mount, boolean lost) {
    Pod pod =
        Yaml.read(
            "{metadata: {}, spec: {volumes: [{name: v, "
                + volume
                + "}], containers: [{volumeMounts: ["
                + mount
                + "]}]}}",
            Pod.class);
    assertThat(traits(pod).scratch()).isEqualTo(lost ? List.of("v") : List.of());
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ports: [{containerPort: 8000}]                                        | port 8000
          ports: [{containerPort: 8000, name: http}]                            | port 8000 (http)
          ports: [{containerPort: 9090, name: metrics}, {containerPort: 8001}]  | port 8001
          ports: [{containerPort: 9090, name: http-metrics}]                    |
          ports: [{containerPort: 29500}, {containerPort: 22}]                  |
          ports: [{containerPort: 5000, name: debug}]                           |
          ports: []                                                             |
          """)
  void clientsConnectToThePortsOfContainersWithGpus(String ports, String endpoint) {
    String gpu = "resources: {limits: {nvidia.com/gpu: 1}}, ";
    String claim = "resources: {claims: [{name: gpu}]}, ";

    assertThat(endpoint(gpu + ports)).isEqualTo(Optional.ofNullable(endpoint));
    assertThat(endpoint(claim + ports)).isEqualTo(Optional.ofNullable(endpoint));
    assertThat(endpoint("resources: {limits: {cpu: 1}}, " + ports)).isEmpty();
    assertThat(endpoint(ports)).isEmpty();
  }

  private static Optional<String> endpoint(String container) {
    return traits(Yaml.read("{metadata: {}, spec: {containers: [{" + container + "}]}}", Pod.class))
        .endpoint();
  }

  private static PodTraits traits(Pod pod) {
    return PodTraitsParser.of(pod, Optional.of("team"));
  }

  private static boolean interactive(String container) {
    return traits(Yaml.read("{metadata: {}, spec: {containers: [{" + container + "}]}}", Pod.class))
        .interactive();
  }
}
