package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalToJson;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable.ObjectUnreadable;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.VolcanoJob;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How Jobs of Volcano are aborted and resumed. */
class CommandApiIT {
  private static final ObjectRef JOB =
      new ObjectRef("batch.volcano.sh/v1alpha1", "Job", "ml", "train", "u-1");
  private static final String COMMANDS = "/apis/bus.volcano.sh/v1alpha1/namespaces/ml/commands";
  private static final String ABORT = COMMANDS + "/gpu-reclaimer-abort-u-1";
  private static final String RESUME = COMMANDS + "/gpu-reclaimer-resume-u-1";
  private static final FieldChange STOP =
      new FieldChange(
          JOB,
          FieldChange.COMMAND,
          VolcanoJob.PHASE,
          Optional.of(VolcanoJob.RUNNING),
          Optional.of(VolcanoJob.ABORTED));

  private final WireMockServer server = new WireMockServer(options().dynamicPort());
  private KubernetesClient client;
  private ObjectApi objects;

  @BeforeEach
  void start() {
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder()
                    .withMasterUrl(server.baseUrl())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
    var api = new ApiServer(client);
    objects = new ObjectApi(api, new Discovery(api));
    server.stubFor(any(anyUrl()).willReturn(refusal(404, "NotFound")));
    serves("batch.volcano.sh/v1alpha1", "jobs", "Job");
    serves("bus.volcano.sh/v1alpha1", "commands", "Command");
    phase(VolcanoJob.RUNNING);
    server.stubFor(post(urlEqualTo(COMMANDS)).willReturn(aResponse().withStatus(201)));
    server.stubFor(post(urlEqualTo(COMMANDS + "?dryRun=All")).willReturn(okJson("{}")));
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop();
  }

  @Test
  void asksVolcanoToAbortAJob_byACommandWithTheUidOfTheJob() {
    assertThat(change(STOP)).isEqualTo(new ActionResult.Done());

    server.verify(
        1,
        postRequestedFor(urlEqualTo(COMMANDS))
            .withRequestBody(
                equalToJson(
                    """
                    {"apiVersion": "bus.volcano.sh/v1alpha1", "kind": "Command",
                     "metadata": {"name": "gpu-reclaimer-abort-u-1", "ownerReferences": [
                       {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "name": "train",
                        "uid": "u-1", "controller": true}]},
                     "action": "AbortJob", "reason": "gpu-reclaimer",
                     "target": {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job",
                       "name": "train", "uid": "u-1", "controller": true}}
                    """)));
  }

  @Test
  void asksOnce_whenTheSameCommandWaitsAlready() {
    server.stubFor(post(urlEqualTo(COMMANDS)).willReturn(refusal(409, "AlreadyExists")));

    assertThat(change(STOP)).isEqualTo(new ActionResult.Done());
  }

  @Test
  void asksVolcanoToResumeAJob_whenItHasTakenTheAbort() {
    assertThat(change(STOP.inverse())).isEqualTo(new ActionResult.Done());

    server.verify(
        1,
        postRequestedFor(urlEqualTo(COMMANDS))
            .withRequestBody(
                equalToJson(
                    """
                    {"metadata": {"name": "gpu-reclaimer-resume-u-1"}, "action": "ResumeJob"}
                    """,
                    true,
                    true)));
  }

  @Test
  void asksForNoResume_whileVolcanoHasNotTakenTheAbort() {
    server.stubFor(get(urlEqualTo(ABORT)).willReturn(okJson("{}")));

    assertThat(change(STOP.inverse()))
        .isEqualTo(
            new ActionResult.Skipped(
                "Volcano has not taken the Command gpu-reclaimer-abort-u-1 yet; without it, the Job"
                    + " stays as it is"));
    server.verify(0, postRequestedFor(anyUrl()));
  }

  @Test
  void changesNothing_whenItOnlyRehearses() {
    assertThat(objects.change(List.of(STOP), "7", true)).isEqualTo(new ActionResult.DryRun());

    server.verify(0, postRequestedFor(urlEqualTo(COMMANDS)));
  }

  @ParameterizedTest
  @CsvSource({"403", "500"})
  void passesARefusalOn(int code) {
    server.stubFor(post(urlEqualTo(COMMANDS)).willReturn(refusal(code, "no")));

    assertThat(change(STOP)).isEqualTo(ActionResult.refused(code, "no"));
  }

  /** A Command that waits has the effect that it will have. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "\"Running\", , \"Running\"",
        "\"Running\", abort, \"Aborting\"",
        "\"Running\", resume, \"Running\"",
        "\"Aborted\", , \"Aborted\"",
        "\"Aborted\", resume, \"Restarting\"",
        "\"Aborted\", abort, \"Aborted\"",
        "\"Completed\", abort, \"Completed\"",
      })
  void readsThePhaseToWhichAWaitingCommandLeads(
      String phase, @Nullable String waiting, String expected) {
    phase(phase);
    if (waiting != null) {
      String path = waiting.equals("abort") ? ABORT : RESUME;
      server.stubFor(get(urlEqualTo(path)).willReturn(okJson("{}")));
    }

    assertThat(phase()).contains(expected);
  }

  @Test
  void doesNotReadAJob_whereCommandsAreNotServed() {
    server.stubFor(
        get(urlEqualTo("/apis/bus.volcano.sh/v1alpha1"))
            .willReturn(aResponse().withStatus(404).withBody("404 page not found")));

    assertThatExceptionOfType(ObjectUnreadable.class)
        .isThrownBy(this::phase)
        .withMessageContaining("/apis/bus.volcano.sh/v1alpha1");
  }

  @Test
  void asksForNoCommand_whenThePhaseIsNotRead() {
    var _ = objects.fresh(JOB, Set.of("/spec/maxRetry"));

    server.verify(0, anyRequestedFor(urlEqualTo(ABORT)));
  }

  private ActionResult change(FieldChange change) {
    return objects.change(List.of(change), "7", false);
  }

  private Optional<String> phase() {
    return objects
        .fresh(JOB, Set.of(VolcanoJob.PHASE))
        .orElseThrow()
        .details()
        .orElseThrow()
        .field(VolcanoJob.PHASE);
  }

  private void phase(String phase) {
    server.stubFor(
        get(urlEqualTo("/apis/batch.volcano.sh/v1alpha1/namespaces/ml/jobs/train"))
            .willReturn(
                okJson(
                    """
                    {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job",
                     "metadata": {"name": "train", "namespace": "ml", "uid": "u-1",
                       "resourceVersion": "7"},
                     "status": {"state": {"phase": PHASE}}}
                    """
                        .replace("PHASE", phase))));
  }

  private void serves(String version, String plural, String kind) {
    server.stubFor(
        get(urlEqualTo("/apis/" + version))
            .willReturn(
                okJson(
                    """
                    {"kind": "APIResourceList", "groupVersion": "%s", "resources": [
                      {"name": "%s", "namespaced": true, "kind": "%s", "verbs": ["list"]}]}
                    """
                        .replaceFirst("%s", version)
                        .replaceFirst("%s", plural)
                        .replaceFirst("%s", kind))));
  }

  private static ResponseDefinitionBuilder refusal(int code, String message) {
    return aResponse()
        .withStatus(code)
        .withBody(
            "{\"kind\":\"Status\",\"message\":\""
                + message
                + "\",\"reason\":\"NotFound\",\"details\":{\"name\":\"x\",\"kind\":\"y\"},\"code\":"
                + code
                + "}");
  }
}
