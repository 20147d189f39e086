package io.gpureclaimer.exporter.attribution.kubernetes;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of a pod that the agent reads: a whole pod takes fifty times the memory. */
@Group("")
@Version("v1")
@Kind("Pod")
@JsonDeserialize(using = JsonDeserializer.None.class)
@JsonIgnoreProperties(ignoreUnknown = true)
public final class NodePod implements HasMetadata, Namespaced {
  private static final long serialVersionUID = 1L;

  private String apiVersion = "v1";
  private String kind = "Pod";
  private ObjectMeta metadata = new ObjectMeta();
  private PodStatus status = new PodStatus();

  /** For the client, which fills it in. */
  public NodePod() {}

  @Override
  public String getApiVersion() {
    return apiVersion;
  }

  @Override
  public void setApiVersion(String apiVersion) {
    this.apiVersion = apiVersion;
  }

  @Override
  public String getKind() {
    return kind;
  }

  /** For the client. */
  public void setKind(String kind) {
    this.kind = kind;
  }

  @Override
  public ObjectMeta getMetadata() {
    return metadata;
  }

  @Override
  public void setMetadata(ObjectMeta metadata) {
    this.metadata = metadata;
  }

  /** How far it has come. */
  public PodStatus getStatus() {
    return status;
  }

  /** For the client. */
  public void setStatus(PodStatus status) {
    this.status = status;
  }

  /** Status of a pod. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class PodStatus implements Serializable {
    private static final long serialVersionUID = 1L;

    private @Nullable String phase;
    private ArrayList<ContainerStatus> containerStatuses = new ArrayList<>();
    private ArrayList<ContainerStatus> initContainerStatuses = new ArrayList<>();
    private ArrayList<ContainerStatus> ephemeralContainerStatuses = new ArrayList<>();

    /** For the client, which fills it in. */
    public PodStatus() {}

    /** Null until the kubelet has seen the pod. */
    public @Nullable String getPhase() {
      return phase;
    }

    /** For the client. */
    public void setPhase(@Nullable String phase) {
      this.phase = phase;
    }

    /** None until the kubelet has seen the pod. */
    public List<ContainerStatus> getContainerStatuses() {
      return containerStatuses;
    }

    /** For the client. */
    public void setContainerStatuses(List<ContainerStatus> containerStatuses) {
      this.containerStatuses = new ArrayList<>(containerStatuses);
    }

    /** Those that run before the others, or beside them. */
    public List<ContainerStatus> getInitContainerStatuses() {
      return initContainerStatuses;
    }

    /** For the client. */
    public void setInitContainerStatuses(List<ContainerStatus> initContainerStatuses) {
      this.initContainerStatuses = new ArrayList<>(initContainerStatuses);
    }

    /** Those that were added to look into the pod. */
    public List<ContainerStatus> getEphemeralContainerStatuses() {
      return ephemeralContainerStatuses;
    }

    /** For the client. */
    public void setEphemeralContainerStatuses(List<ContainerStatus> ephemeralContainerStatuses) {
      this.ephemeralContainerStatuses = new ArrayList<>(ephemeralContainerStatuses);
    }
  }

  /** Status of a container. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class ContainerStatus implements Serializable {
    private static final long serialVersionUID = 1L;

    private String name = "";
    private String containerID = "";

    /** For the client, which fills it in. */
    public ContainerStatus() {}

    /** Its name within the pod. */
    public String getName() {
      return name;
    }

    /** For the client. */
    public void setName(String name) {
      this.name = name;
    }

    /** The runtime and its own name for it, {@code containerd://8a9b…}; empty until it starts. */
    public String getContainerID() {
      return containerID;
    }

    /** For the client. */
    public void setContainerID(String containerID) {
      this.containerID = containerID;
    }
  }
}
