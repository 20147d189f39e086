package io.gpureclaimer.verification.scenario.privilege;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.gpureclaimer.verification.deploy.Chart;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.privilege.ApiCaller.ApiAnswer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The API server lets the reclaimer change the field of an action, and nothing else of an owner.
 */
@OnCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OwnerWritesE2E {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration EFFECTIVE = Duration.ofSeconds(60);
  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int REFUSED_BY_ROLES = 403;
  private static final int REFUSED_BY_POLICY = 422;
  private static final String OURS = "{'metadata':{'annotations':{'gpu-reclaimer.io/a':'b'}}}";
  private static final String NOT_OURS = "{'metadata':{'annotations':{'gpu-reclaimer.io/a':null}}}";

  private static final String OTHER_LABEL = "{'metadata':{'labels':{'team':'other'}}}";

  /** Neighbors of an action's field by the path that the refusal names. */
  private static final Map<String, String> METADATA =
      Map.of(
          "metadata.labels",
          OTHER_LABEL,
          "metadata.finalizers",
          "{'metadata':{'finalizers':['example.com/held']}}",
          "metadata.annotations.theirs",
          "{'metadata':{'annotations':{'theirs':null}}}",
          "metadata.annotations.other",
          "{'metadata':{'annotations':{'other':'new'}}}",
          "metadata.ownerReferences",
          "{'metadata':{'ownerReferences':"
              + "[{'apiVersion':'v1','kind':'ConfigMap','name':'c','uid':'u'}]}}");

  private final String namespace;
  private final TestCluster cluster;
  private final ApiCaller reclaimer;
  private final ApiCaller administrator;

  OwnerWritesE2E(TestCluster cluster) {
    this.cluster = cluster;
    this.namespace = cluster.namespace("owners", Map.of());
    Stream.of(
            "00-namespaces.yaml",
            "reclaimer-rbac.yaml",
            "reclaimer-owners.yaml",
            "reclaimer-verbs.yaml",
            "reclaimer-admission-writes.yaml")
        .map(Manifest::shipped)
        .forEach(cluster::apply);
    kinds().forEach(kind -> cluster.apply(kind.definition()));
    cluster.apply(OwnerField.COMMAND.definition());
    cluster.apply(
        Manifest.beside(OwnerWritesE2E.class, "owners.yaml").with("namespace", namespace));
    this.reclaimer = ApiCaller.account(cluster, "gpu-reclaimer", "gpu-reclaimer");
    this.administrator = ApiCaller.administrator(cluster);
    kinds().forEach(this::create);
    await("the policy")
        .atMost(EFFECTIVE)
        .until(
            () ->
                patch(path("batch/v1", "jobs") + "?dryRun=All", OTHER_LABEL).code()
                    == REFUSED_BY_POLICY);
  }

  @AfterAll
  void close() {
    reclaimer.close();
    administrator.close();
  }

  private static Stream<OwnerField> kinds() {
    return Stream.concat(OwnerField.PATCHED.stream(), OwnerField.SCALED.stream());
  }

  /** A kind that is only just known is not found for a moment. */
  private void create(OwnerField kind) {
    String object = Serialization.asJson(kind.object(namespace));
    await(kind.toString())
        .atMost(EFFECTIVE)
        .until(() -> administrator.post(folder(kind), object).code() == CREATED);
  }

  private String folder(OwnerField kind) {
    return path(kind.apiVersion(), kind.resource()).replaceAll("/owner$", "");
  }

  private String path(String apiVersion, String resource) {
    return "/apis/" + apiVersion + "/namespaces/" + namespace + "/" + resource + "/owner";
  }

  private String path(OwnerField kind) {
    return path(kind.apiVersion(), kind.resource());
  }

  private ApiAnswer patch(String path, String patch) {
    return reclaimer.patch(path, patch.replace('\'', '"'));
  }

  static List<OwnerField> patched() {
    return OwnerField.PATCHED;
  }

  static List<OwnerField> scaled() {
    return OwnerField.SCALED;
  }

  @ParameterizedTest
  @MethodSource("patched")
  void changesTheFieldOfTheAction_andChangesItBack(OwnerField kind) throws IOException {
    List<JsonNode> before = written(path(kind));

    assertThat(patch(path(kind), kind.change()).code()).isEqualTo(OK);
    assertThat(patch(path(kind), OURS).code()).isEqualTo(OK);
    assertThat(written(path(kind))).isNotEqualTo(before);

    assertThat(patch(path(kind), kind.restore()).code()).isEqualTo(OK);
    assertThat(patch(path(kind), NOT_OURS).code()).isEqualTo(OK);
    assertThat(written(path(kind))).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("patched")
  void changesNoNeighborOfTheField_neitherAloneNorWithIt(OwnerField kind) throws IOException {
    var neighbors = new HashMap<>(METADATA);
    neighbors.put("spec.image", "{'spec':{'image':'two'}}");
    neighbors.put("spec.more", "{'spec':{'more':{}}}");
    neighbors.put("extra", "{'extra':{'a':'b'}}");
    if (kind.change().contains("runPolicy")) {
      neighbors.put(
          "spec.runPolicy.cleanPodPolicy", "{'spec':{'runPolicy':{'cleanPodPolicy':'All'}}}");
    }

    refusesAll(path(kind), kind.toString(), kind.change(), neighbors);
    assertThat(reclaimer.delete(path(kind)).code()).isEqualTo(REFUSED_BY_ROLES);
    assertThat(patch(path(kind) + "/status", "{'status':{'a':'b'}}").code())
        .isEqualTo(REFUSED_BY_ROLES);
  }

  @Test
  void suspendsAJob_andChangesNothingElseOfIt() throws IOException {
    String job = path("batch/v1", "jobs");
    String suspend = "{'spec':{'suspend':true}}";
    var neighbors = new HashMap<>(METADATA);
    neighbors.put("spec.parallelism", "{'spec':{'parallelism':0}}");

    refusesAll(job, "jobs.batch", suspend, neighbors);
    assertThat(patch(job, suspend).code()).isEqualTo(OK);
    assertThat(patch(job, "{'spec':{'suspend':false}}").code()).isEqualTo(OK);
    assertThat(reclaimer.delete(job).code()).isEqualTo(REFUSED_BY_ROLES);
  }

  @Test
  void createsTheCommandsOfOneVolcanoJob_andNoOthers() {
    String commands =
        "/apis/" + OwnerField.COMMAND.apiVersion() + "/namespaces/" + namespace + "/commands";
    String abort = command("gpu-reclaimer-abort-u", "AbortJob", "Job");
    await("commands")
        .atMost(EFFECTIVE)
        .until(() -> administrator.post(commands + "?dryRun=All", abort).code() == CREATED);
    String terminate = command("gpu-reclaimer-abort-u", "TerminateJob", "Job");
    await("their policy")
        .atMost(EFFECTIVE)
        .until(
            () -> reclaimer.post(commands + "?dryRun=All", terminate).code() == REFUSED_BY_POLICY);

    for (String refused :
        List.of(
            command("gpu-reclaimer-abort-v", "AbortJob", "Job"),
            command("gpu-reclaimer-abort-u", "ResumeJob", "Job"),
            terminate,
            command("u", "RestartJob", "Job"),
            command("gpu-reclaimer-abort-u", "AbortJob", "Queue"),
            abort.replace("target", "other"))) {
      ApiAnswer answer = reclaimer.post(commands, refused);
      assertThat(answer.code()).as("%s: %s", refused, answer.body()).isEqualTo(REFUSED_BY_POLICY);
    }
    assertThat(reclaimer.post(commands, abort).code()).isEqualTo(CREATED);
    assertThat(
            reclaimer.post(commands, command("gpu-reclaimer-resume-u", "ResumeJob", "Job")).code())
        .isEqualTo(CREATED);
    assertThat(patch(commands + "/gpu-reclaimer-abort-u", "{'action':'TerminateJob'}").code())
        .isEqualTo(REFUSED_BY_ROLES);
    assertThat(reclaimer.delete(commands + "/gpu-reclaimer-abort-u").code())
        .isEqualTo(REFUSED_BY_ROLES);
    assertThat(administrator.post(commands, command("theirs", "AbortJob", "Job")).code())
        .isEqualTo(CREATED);
  }

  /** A Command for the Job with the UID {@code u}. */
  private static String command(String name, String action, String kind) {
    return """
    {"apiVersion": "bus.volcano.sh/v1alpha1", "kind": "Command", "metadata": {"name": "NAME"},
     "action": "ACTION", "target": {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "KIND",
       "name": "train", "uid": "u", "controller": true}}
    """
        .replace("NAME", name)
        .replace("ACTION", action)
        .replace("KIND", kind);
  }

  @Test
  void annotatesAPod_andChangesNothingElseOfIt() throws IOException {
    String pod = "/api/v1/namespaces/" + namespace + "/pods/idle";
    JsonNode spec = JSON.readTree(administrator.get(pod).body()).path("spec");
    ((ObjectNode) spec.at("/containers/0")).put("image", "two");
    var neighbors = new HashMap<>(METADATA);
    neighbors.put("spec.containers", "{'spec':{'containers':" + spec.path("containers") + "}}");
    neighbors.put("spec.activeDeadlineSeconds", "{'spec':{'activeDeadlineSeconds':60}}");

    refusesAll(pod, "pods.", OURS, neighbors);
    assertThat(patch(pod, OURS).code()).isEqualTo(OK);
    assertThat(
            patch(
                    pod,
                    "{'metadata':{'annotations':{'controller.kubernetes.io/pod-deletion-cost':'-1'}}}")
                .code())
        .isEqualTo(OK);
    assertThat(reclaimer.delete(pod).code()).isEqualTo(REFUSED_BY_ROLES);
  }

  @Test
  void nominatesTheNodeOfAPendingPod_andChangesNothingElseOfItsStatus() throws IOException {
    grantNomination();
    String pods = "/api/v1/namespaces/" + namespace + "/pods";
    String status = pods + "/idle/status";
    String nominate = "{'status':{'nominatedNodeName':'node-1'}}";
    await("the right")
        .atMost(EFFECTIVE)
        .until(() -> patch(status + "?dryRun=All", nominate).code() == OK);
    var neighbors = new HashMap<>(METADATA);
    neighbors.remove("metadata.ownerReferences"); // the API server ignores these two in a status
    neighbors.remove("metadata.finalizers");
    neighbors.put("status.phase", "{'status':{'phase':'Running'}}");
    neighbors.put(
        "status.conditions", "{'status':{'conditions':[{'type':'Ready','status':'True'}]}}");
    neighbors.put("status.reason", "{'status':{'reason':'Evicted'}}");

    refusesAll(status, "pods.", nominate, neighbors);
    assertThat(patch(status, nominate).code()).isEqualTo(OK);
    assertThat(patch(status, "{'status':{'nominatedNodeName':null}}").code()).isEqualTo(OK);
    String placed =
        """
        {"metadata": {"name": "placed"},
         "spec": {"nodeName": "other", "terminationGracePeriodSeconds": 0,
           "containers": [{"name": "main", "image": "one"}]}}
        """;
    assertThat(administrator.post(pods, placed).code()).isEqualTo(CREATED);
    ApiAnswer bound = patch(pods + "/placed/status", nominate);
    assertThat(bound.code()).isEqualTo(REFUSED_BY_POLICY);
    assertThat(bound.body())
        .containsAnyOf(
            "nominates nodes only for pods without a node",
            "may not be set on pods that are already bound to a node"); // the API server's own
  }

  /** The role that the chart creates for it. */
  private void grantNomination() {
    Chart.objects(Map.of("reclaimer.nominateNodes", true)).stream()
        .filter(object -> object.getMetadata().getName().equals("gpu-reclaimer-nominate"))
        .forEach(cluster::apply);
  }

  private void refusesAll(String path, String kind, String change, Map<String, String> neighbors)
      throws IOException {
    for (Map.Entry<String, String> neighbor : neighbors.entrySet()) {
      String alone = neighbor.getValue().replace('\'', '"');
      JsonNode both =
          JSON.readerForUpdating(JSON.readTree(change.replace('\'', '"'))).readValue(alone);
      for (String tried : List.of(alone, both.toString())) {
        ApiAnswer answer = patch(path, tried);
        assertThat(answer.code()).as("%s: %s", tried, answer.body()).isEqualTo(REFUSED_BY_POLICY);
        assertThat(answer.body())
            .contains("the reclaimer must not change " + neighbor.getKey() + " of " + kind);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"deployments", "replicasets", "statefulsets"})
  void scalesABuiltInOwner_andChangesNothingElseOfIt(String resource) {
    scales(path("apps/v1", resource));
  }

  @ParameterizedTest
  @MethodSource("scaled")
  void scalesACustomOwner_andChangesNothingElseOfIt(OwnerField kind) {
    scales(path(kind));
  }

  /** Labels in the body of a scale are of the Scale, and dropped. */
  private void scales(String owner) {
    String zero = "{'metadata':{'labels':{'team':'other'}},'spec':{'replicas':0}}";
    String labels = labels(owner);

    assertThat(patch(owner + "/scale", zero).code()).isEqualTo(OK);
    assertThat(labels(owner)).isEqualTo(labels);
    assertThat(patch(owner + "/scale", "{'spec':{'replicas':3}}").code()).isEqualTo(OK);
    assertThat(patch(owner, zero).code()).isEqualTo(REFUSED_BY_ROLES);
    assertThat(patch(owner, OURS).code()).isEqualTo(REFUSED_BY_ROLES);
    assertThat(reclaimer.delete(owner).code()).isEqualTo(REFUSED_BY_ROLES);
  }

  @ParameterizedTest
  @CsvSource({
    "gpu-reclaimer-scale, apps/v1, deployments, /scale, {'spec':{'replicas':0}}",
    "gpu-reclaimer-suspend, batch/v1, jobs, '', {'spec':{'suspend':true}}",
    "gpu-reclaimer-stop, kubeflow.org/v1beta1, workspaces, '', {'spec':{'paused':true}}"
  })
  void doesNotAct_withoutTheRoleOfTheAction(
      String role, String apiVersion, String resource, String subresource, String action) {
    String dryRun = path(apiVersion, resource) + subresource + "?dryRun=All";
    var bindings = cluster.client().rbac().clusterRoleBindings().withName(role);
    HasMetadata binding = bindings.require();
    assertThat(patch(dryRun, action).code()).isEqualTo(OK);

    bindings.delete();
    await("no right")
        .atMost(EFFECTIVE)
        .until(() -> patch(dryRun, action).code() == REFUSED_BY_ROLES);

    binding.getMetadata().setResourceVersion(null);
    cluster.client().resource(binding).create();
    await("the right").atMost(EFFECTIVE).until(() -> patch(dryRun, action).code() == OK);
  }

  @Test
  void othersChangeWhatTheyMay() {
    String dryRun = path("batch/v1", "jobs") + "?dryRun=All";

    assertThat(administrator.patch(dryRun, OTHER_LABEL.replace('\'', '"')).code()).isEqualTo(OK);
  }

  private List<JsonNode> written(String path) throws IOException {
    JsonNode object = JSON.readTree(administrator.get(path).body());
    return List.of(
        object.path("spec"), object.at("/metadata/annotations"), object.at("/metadata/labels"));
  }

  private String labels(String path) {
    try {
      return JSON.readTree(administrator.get(path).body()).at("/metadata/labels").toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
