package dynamo

// DescribeEndpointsInput is the input of DescribeEndpoints. Host is the endpoint that the
// request was sent to; the door sets it.
type DescribeEndpointsInput struct {
	Host string `json:"-"`
}

// DescribeEndpointsOutput is the output of DescribeEndpoints.
type DescribeEndpointsOutput struct {
	Endpoints []Endpoint
}

// Endpoint is an address of the service.
type Endpoint struct {
	Address              *string
	CachePeriodInMinutes int64
}
