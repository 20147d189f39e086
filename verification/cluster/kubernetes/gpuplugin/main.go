// Serves made-up GPUs to a kubelet as nvidia.com/gpu, so that pods can ask for what a simulated
// driver simulates. It allocates the devices in the order in which they were named.
//
//	gpuplugin UUID...
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	plugin "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

const socket = "gpu-reclaimer-test.sock"

type gpus struct {
	plugin.UnimplementedDevicePluginServer
	uuids []string
}

func (*gpus) GetDevicePluginOptions(context.Context, *plugin.Empty) (*plugin.DevicePluginOptions, error) {
	return &plugin.DevicePluginOptions{GetPreferredAllocationAvailable: true}, nil
}

func (g *gpus) ListAndWatch(_ *plugin.Empty, stream plugin.DevicePlugin_ListAndWatchServer) error {
	list := &plugin.ListAndWatchResponse{}
	for _, uuid := range g.uuids {
		list.Devices = append(list.Devices, &plugin.Device{ID: uuid, Health: plugin.Healthy})
	}
	if err := stream.Send(list); err != nil {
		return err
	}
	<-stream.Context().Done()
	return nil
}

func (g *gpus) GetPreferredAllocation(_ context.Context, request *plugin.PreferredAllocationRequest) (*plugin.PreferredAllocationResponse, error) {
	answer := &plugin.PreferredAllocationResponse{}
	for _, container := range request.ContainerRequests {
		chosen := slices.Clone(container.MustIncludeDeviceIDs)
		for _, uuid := range g.uuids {
			if len(chosen) < int(container.AllocationSize) && !slices.Contains(chosen, uuid) &&
				slices.Contains(container.AvailableDeviceIDs, uuid) {
				chosen = append(chosen, uuid)
			}
		}
		answer.ContainerResponses = append(answer.ContainerResponses,
			&plugin.ContainerPreferredAllocationResponse{DeviceIDs: chosen})
	}
	return answer, nil
}

func (*gpus) Allocate(_ context.Context, request *plugin.AllocateRequest) (*plugin.AllocateResponse, error) {
	answer := &plugin.AllocateResponse{}
	for _, container := range request.ContainerRequests {
		answer.ContainerResponses = append(answer.ContainerResponses, &plugin.ContainerAllocateResponse{
			Envs: map[string]string{"NVIDIA_VISIBLE_DEVICES": strings.Join(container.DevicesIds, ",")},
		})
	}
	return answer, nil
}

func register() error {
	kubelet, err := grpc.NewClient("unix://"+plugin.KubeletSocket,
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer kubelet.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, err = plugin.NewRegistrationClient(kubelet).Register(ctx, &plugin.RegisterRequest{
		Version:      plugin.Version,
		Endpoint:     socket,
		ResourceName: "nvidia.com/gpu",
		Options:      &plugin.DevicePluginOptions{GetPreferredAllocationAvailable: true},
	})
	return err
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "gpuplugin: expected the UUIDs of the GPUs to serve")
		os.Exit(2)
	}
	path := filepath.Join(plugin.DevicePluginPath, socket)
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		log.Fatal(err)
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer()
	plugin.RegisterDevicePluginServer(server, &gpus{uuids: os.Args[1:]})
	go func() {
		if err := register(); err != nil {
			log.Fatal(err)
		}
		log.Printf("serving %d GPUs", len(os.Args)-1)
		// A restarted kubelet deletes the socket: restart as well.
		for {
			if _, err := os.Stat(path); err != nil {
				log.Fatal("the kubelet took the socket away: ", err)
			}
			time.Sleep(time.Second)
		}
	}()
	log.Fatal(server.Serve(listener))
}
